import type { Card } from '@marquee/contract/entities/card'
import type { NightScreen, ScreenMovie } from '@marquee/contract/entities/night-screen'
import { isSameUser } from '@marquee/contract/rules/account'
import { askTogether, together } from '@marquee/platform/database/statement-runner'

import { type CardPorts, listCardsOfFeed, presentCard } from '../../../movies/cards/service.ts'
import { findPreparedSince } from '../../../draws/service.ts'
import { listAvatars, type Principal } from '../../../club/people/service.ts'
import { findWatchlistNames } from '../../../club/watchlists/service.ts'
import { requireNight } from '../night/change.ts'
import { authorizeNightRead } from '../night/passes.ts'
import { nightKeyOf, presentNight, visibleTo } from '../night/present.ts'
import { listPeople } from '../night/store.ts'
import { cardsOfNight, type Evening, outcomeOf, readEvening, tonightOf } from '../vote/read-vote.ts'

type CardRow = Awaited<ReturnType<typeof listCardsOfFeed>>[number]

/** A draw that is prepared and not revealed within this time was given up. */
const DRAWING_MS = 10_000

/** The night as the big screen shows it. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getNightScreen(ports: CardPorts, user: Principal, nightId: string): Promise<NightScreen> {
  const key = nightKeyOf(nightId)
  const now = ports.clock.now()
  return await askTogether(ports.database.read, async (db) => {
    const [, names, row, evening, people, drawing] = await together(
      authorizeNightRead(db, user, 'night.show', key),
      findWatchlistNames(db, [key.watchlistId]),
      requireNight(db, key),
      readEvening(db, key),
      listPeople(db, key),
      findPreparedSince(db, key.watchlistId, now.getTime() - DRAWING_MS),
    )
    const [avatars, shown] = await together(
      listAvatars(
        db,
        people.map(({ userId }) => userId),
      ),
      listCardsOfFeed(db, key.watchlistId, evening.vote.shortlist),
    )
    const night = visibleTo(user, presentNight(row, now.toISOString()))
    const { id, watchlistId, state, place, startedAt, guests, joinCode } = night
    const members = people.map(({ userId, username }) => presentPerson(ports, username, avatars.get(userId)))
    return {
      id,
      watchlistId,
      watchlistName: names.get(watchlistId) ?? '',
      state,
      place,
      joinCode,
      present: [
        ...(state === 'open' ? members : []),
        ...guests.map(({ nickname }) => ({ name: nickname, avatarUrl: null })),
      ],
      isDrawing: people.some(({ username }) => drawing !== undefined && isSameUser(username, drawing.username)),
      movie: movieOf(ports, evening, startedAt),
      wasVetoed: tonightOf(evening, { row, now: now.toISOString() }).wasVetoed,
      vote: voteOf(ports, evening, shown),
    }
  })
}

function presentPerson({ images }: CardPorts, name: string, hash: string | undefined): NightScreen['present'][number] {
  return { name, avatarUrl: hash === undefined ? null : images.avatarPathOf(hash) }
}

/** The newest card of the night, unless it was declined. */
function movieOf({ images }: CardPorts, evening: Evening, since: string | null): ScreenMovie | null {
  const [newest] = since === null ? [] : cardsOfNight(evening, since)
  if (!newest || newest.status === 'REJECTED') return null
  return screenMovie(presentCard(newest, images.posterOf))
}

function voteOf({ images }: CardPorts, { vote }: Evening, rows: readonly CardRow[]): NightScreen['vote'] {
  const outcome = outcomeOf(vote)
  if (!outcome) return null
  const shown = new Map(rows.map((row) => [row.id, row]))
  const movies = vote.shortlist.flatMap((cardId) => shown.get(cardId) ?? [])
  return { ...outcome, movies: movies.map((row) => screenMovie(presentCard(row, images.posterOf))) }
}

function screenMovie({ id, title, imageUrl, posterState, movie, status, statusChangedAt }: Card): ScreenMovie {
  const acceptedAt = status === 'WATCHED' ? statusChangedAt : null
  return { id, title, imageUrl, ...(posterState && { posterState }), ...(movie && { movie }), status, acceptedAt }
}

import type { Card } from '@marquee/contract/entities/card'
import type { NightScreen, ScreenMovie } from '@marquee/contract/entities/night-screen'

import { type CardPorts, findLatest, findShown } from '../../movies/cards/service.ts'
import { hasPreparedSince, listDrawn } from '../../draws/service.ts'
import { listAvatars, type User } from '../../club/people/service.ts'
import { findWatchlistNames } from '../../club/watchlists/service.ts'
import { requireNight } from './change.ts'
import { authorizeNightRead } from './passes.ts'
import { nightKeyOf, presentNight, visibleTo } from './present.ts'
import { listPeople, type NightKey } from './store.ts'
import { readOutcome, readTonight } from './read-vote.ts'

/** A draw that is prepared and not revealed within this time was given up. */
const DRAWING_MS = 10_000

/** The night as the big screen shows it. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function getNightScreen(ports: CardPorts, user: User, nightId: string): Promise<NightScreen> {
  const key = nightKeyOf(nightId)
  await authorizeNightRead(ports.database.read, user, 'night.show', key)
  const names = await findWatchlistNames(ports.database.read, [key.watchlistId])
  const row = await requireNight(ports.database.read, key)
  const now = ports.clock.now()
  const { wasVetoed } = await readTonight(ports.database.read, { row, now: now.toISOString() })
  const night = visibleTo(user, presentNight(row, now.toISOString()))
  const { id, watchlistId, state, place, startedAt, guests, joinCode } = night
  return {
    id,
    watchlistId,
    watchlistName: names.get(watchlistId) ?? '',
    state,
    place,
    joinCode,
    present: [
      ...(state === 'open' ? await readPeople(ports, key) : []),
      ...guests.map(({ nickname }) => ({ name: nickname, avatarUrl: null })),
    ],
    isDrawing: await hasPreparedSince(ports.database.read, watchlistId, now.getTime() - DRAWING_MS),
    movie: await readMovie(ports, watchlistId, startedAt),
    wasVetoed,
    vote: await readVote(ports, key),
  }
}

async function readPeople({ database: { read }, images }: CardPorts, key: NightKey): Promise<NightScreen['present']> {
  const people = await listPeople(read, key)
  const avatars = await listAvatars(
    read,
    people.map(({ userId }) => userId),
  )
  return people.map(({ userId, username }) => {
    const hash = avatars.get(userId)
    return { name: username, avatarUrl: hash === undefined ? null : images.avatarPathOf(hash) }
  })
}

/** The newest card of the feed, if it came or was accepted during the night. */
async function readMovie(ports: CardPorts, watchlistId: string, since: string | null): Promise<ScreenMovie | null> {
  const card = since === null ? undefined : await findLatest(ports, watchlistId)
  if (!card || card.status === 'REJECTED' || card.statusChangedAt < (since ?? '')) return null
  return screenMovie(card)
}

async function readVote(ports: CardPorts, key: NightKey): Promise<NightScreen['vote']> {
  const vote = await readOutcome(ports.database.read, key)
  if (!vote) return null
  const drawn = await listDrawn(ports.database.read, key.watchlistId, vote.drawNumber)
  const shown = await findShown(ports, key.watchlistId, drawn)
  return { ...vote, movies: drawn.flatMap((cardId) => shown.get(cardId) ?? []).map(screenMovie) }
}

function screenMovie({ id, title, imageUrl, posterState, movie, status }: Card): ScreenMovie {
  return { id, title, imageUrl, ...(posterState && { posterState }), ...(movie && { movie }), status }
}

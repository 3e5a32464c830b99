import type { MediaPlayer, MediaPlayers } from '@marquee/contract/entities/media-server'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { askTogether, together } from '@marquee/platform/database/statement-runner'
import type { Clock } from '@marquee/platform/runtime/clock'
import { SECOND_MS } from '@marquee/platform/runtime/durations'

import type { User } from '../../../club/people/service.ts'
import { authorizeRead } from '../../../club/watchlists/service.ts'
import { findFeedMovies } from '../../../movies/cards/service.ts'
import { askByKey, findCopies, type FoundCopy, type MediaServerOptions } from '../../../movies/media-servers/service.ts'
import { requireNight } from '../night/change.ts'
import { requireAmong } from './latest-vote.ts'
import { nightKeyOf } from '../night/present.ts'
import { type Evening, readEvening, tonightOf } from './read-vote.ts'
import type { NightRow } from '../night/store.ts'
import { discloseVote } from './vote-disclosure.ts'

export type PlayPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  /** Missing if the operator has not switched them on. */
  readonly mediaServers?: MediaServerOptions | undefined
}

type Request = { readonly serverId: string; readonly sessionId: string }

/** Those at a night wait for the slowest server that has the winner. */
const ASK_MS = 5 * SECOND_MS
const PLAY_MS = 15 * SECOND_MS
const NO_WINNER = 'This night has no winner yet'
const NOT_THERE = 'This media server does not have the movie'

/**
 * The devices on which the winner can be played, of all servers that have it and answer.
 * @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the user is not at the night.
 */
export async function listPlayers(ports: PlayPorts, user: User, nightId: string): Promise<MediaPlayers> {
  const { copies, options } = await findWinner(ports, user, nightId)
  const answers = await Promise.allSettled(copies.map(async (copy) => await playersOf(options, copy)))
  const found = answers.flatMap((answer) => {
    if (answer.status === 'fulfilled') return [answer.value]
    // The fault of a server: the others are shown.
    if (answer.reason instanceof Problem) return []
    throw answer.reason
  })
  return { players: found.flat() }
}

async function playersOf(options: MediaServerOptions, copy: FoundCopy) {
  const { id: serverId, name: serverName } = copy.row
  const all = await askByKey(options, copy.row, ASK_MS, async (server, signal) => await server.listPlayers(signal))
  return all.map(({ sessionId, device, app }): MediaPlayer => ({ serverId, serverName, sessionId, device, app }))
}

/** Plays the winner. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST with the fault of the server. */
export async function playWinner(ports: PlayPorts, user: User, nightId: string, on: Request): Promise<void> {
  const { hasWinner, copies, options } = await findWinner(ports, user, nightId)
  if (!hasWinner) throw new Problem('BAD_REQUEST', NO_WINNER)
  const copy = copies.find(({ row }) => row.id === on.serverId)
  if (!copy) throw new Problem('BAD_REQUEST', NOT_THERE)
  await askByKey(options, copy.row, PLAY_MS, async (server, signal) => {
    await server.play(on.sessionId, copy.itemId, signal)
  })
}

/** The copies of the winner. @throws {Problem} NOT_FOUND; FORBIDDEN; BAD_REQUEST if the user is not at the night. */
async function findWinner({ database: { read }, clock, mediaServers }: PlayPorts, user: User, nightId: string) {
  if (!mediaServers) throw new Problem('NOT_FOUND')
  const key = nightKeyOf(nightId)
  const [, row, evening] = await askTogether(
    read,
    async (db: AnyDb) =>
      await together(
        authorizeRead(db, user, 'night.play', key.watchlistId),
        requireNight(db, key),
        readEvening(db, key),
      ),
  )
  requireAmong(evening.vote.roll.present, user)
  const winner = winnerOf(evening, row, clock.now().toISOString())
  const cards = winner === undefined ? [] : await findFeedMovies(read, key.watchlistId, [winner])
  const copies = (await findCopies(read, key.watchlistId, cards)).get(winner ?? '') ?? []
  return { hasWinner: cards.length > 0, copies, options: mediaServers }
}

/** The card of an open night that was accepted last, or else the one that won the vote and waits for its decision. */
function winnerOf(evening: Evening, row: NightRow, now: string): string | undefined {
  const { revealed, accepted } = tonightOf(evening, { row, now })
  const { row: vote } = evening.vote
  const won = vote && discloseVote(vote, undefined).winner
  return accepted[0]?.id ?? revealed.find(({ id }) => id === won)?.id
}

import { timingSafeEqual } from 'node:crypto'

import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { HOUR_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'
import { nextTurn } from '@marquee/platform/runtime/turns'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { User } from '../../club/people/service.ts'
import { changeWatchlist, changeWithoutVerb } from '../../club/watchlists/service.ts'
import { findInFeed, listFeedMovies } from '../cards/service.ts'
import {
  findServer,
  isSameMovie,
  plainId,
  type RawReport,
  readReport,
  type Report,
  requireOn,
  requireServer,
} from '../media-servers/service.ts'
import { markSeenAtServer } from '../viewings/service.ts'
import { findMark, savePlayed, wantSeen } from './mark-store.ts'
import type { MediaLinkPorts, OnPorts } from './service.ts'
import { countReport, findLink, findSecretHash, type LinkRow, listLinksTo, saveHook, type ServerKey } from './store.ts'

/** What became of a report. */
export type Outcome =
  /** It marked a film as seen. */
  | 'taken'
  /** The film is marked already, or was reported within its length. */
  | 'repeated'
  /** No member has linked the user. */
  | 'unlinked'
  /** No card of the feed has the film. */
  | 'unmatched'
  /** It is about something else. */
  | 'other'
  | 'unreadable'

const SECRET_BYTES = 32
/** The cards that changed last. Reading more would hold up other requests. */
const MAX_CARDS = 5_000
/** This many cards are compared in a few milliseconds. */
const SLICE = 250
const LENGTH = { shortest: 10 * MINUTE_MS, usual: 2 * HOUR_MS, longest: 6 * HOUR_MS }

/** Makes the address of a server, in place of an earlier one. Only this reply has its secret. @throws {Problem} NOT_FOUND; FORBIDDEN. */
export async function makeMediaHook(given: MediaLinkPorts, user: User, key: ServerKey): Promise<{ url: string }> {
  const ports = requireOn(given)
  const secret = ports.random.bytes(SECRET_BYTES)
  const text = Buffer.from(secret).toString('base64url')
  await changeWatchlist(ports, user, 'media.manage', key, async ({ trx, at }) => {
    await requireServer(trx, key)
    await saveHook(trx, {
      watchlist_id: key.watchlistId,
      server_id: key.serverId,
      secret_hash: hashOfSecret(text),
      made_at: at,
      last_at: null,
      taken: 0,
      unlinked: 0,
      unmatched: 0,
    })
  })
  return { url: `${ports.publicUrl}/api/media-reports/${key.watchlistId}/${key.serverId}/${text}` }
}

/** Whether a server has an address with this secret. */
export async function isMediaHook(db: AnyDb, key: ServerKey, secret: string): Promise<boolean> {
  const known = await findSecretHash(db, key)
  return known !== undefined && timingSafeEqual(Buffer.from(hashOfSecret(secret)), Buffer.from(known))
}

/** Takes what a server reports: the film becomes a seen mark of the members who have linked the user, on cards of the feed. */
export async function takeReport(ports: OnPorts, key: ServerKey, raw: RawReport): Promise<Outcome> {
  const outcome = await outcomeOf(ports, key, raw)
  const counted = outcome === 'taken' || outcome === 'unlinked' || outcome === 'unmatched' ? outcome : null
  const at = ports.clock.now().toISOString()
  await ports.database.transaction(async (trx) => await countReport(trx, key, counted, at))
  return outcome
}

async function outcomeOf(ports: OnPorts, key: ServerKey, raw: RawReport): Promise<Outcome> {
  const { read } = ports.database
  const server = await findServer(read, key)
  const report = server && readReport(server.kind, raw)
  if (report === undefined) return 'unreadable'
  if (report === null) return 'other'
  if (report.machineId !== null && report.machineId !== plainId(server?.machine_id ?? '')) return 'other'
  const links = (await listLinksTo(read, key)).filter((link) => isUserOf(link, report))
  if (links.length === 0) return 'unlinked'
  const cardIds = await findCardsOf(read, key.watchlistId, report)
  if (cardIds.length === 0) return 'unmatched'
  let outcome: Outcome = 'repeated'
  for (const { user_id: userId, username } of links) {
    for (const cardId of cardIds) {
      if (await markPlayed(ports, { ...key, cardId, userId, username }, report)) outcome = 'taken'
    }
  }
  ports.wakeMarks()
  return outcome
}

function isUserOf({ state, remote_id: remoteId }: LinkRow, { userId }: Report): boolean {
  return state !== 'waiting' && plainId(remoteId) === userId
}

async function findCardsOf(db: AnyDb, watchlistId: string, { movie }: Report): Promise<string[]> {
  const cards = await listFeedMovies(db, watchlistId, MAX_CARDS)
  const found: string[] = []
  for (let from = 0; from < cards.length; from += SLICE) {
    await nextTurn()
    for (const card of cards.slice(from, from + SLICE)) if (isSameMovie(card, movie)) found.push(card.cardId)
  }
  return found
}

type Played = ServerKey & User & { readonly cardId: string }

/** True if the mark is new. */
async function markPlayed(ports: OnPorts, { username, ...key }: Played, report: Report): Promise<boolean> {
  const { watchlistId, serverId, cardId, userId } = key
  try {
    return await changeWithoutVerb(ports, { username }, { watchlistId }, async ({ trx, now, at, happened }) => {
      const link = await findLink(trx, key)
      if (!link || !isUserOf(link, report) || !(await findInFeed(trx, key))) return false
      const mark = await findMark(trx, key)
      if (isWithin(mark?.played_at ?? null, now.getTime(), report.lengthMs)) return false
      await savePlayed(trx, key, now.getTime())
      const isNew = await markSeenAtServer(trx, { watchlistId, cardId, serverId, at }, { userId, username })
      if (isNew) happened('viewing.changed', { cardId })
      // Also of a mark that is here already: one that a night made was never sent.
      return wantSeen(trx, { watchlistId, cardId, userId }, now.getTime(), serverId).map(() => isNew)
    })
  } catch (error) {
    // The watchlist was deleted in the meantime.
    if (error instanceof Problem && error.key === 'NOT_FOUND') return false
    throw error
  }
}

/** Whether a film that was last played then cannot have been played again: a report is repeated. */
function isWithin(playedAt: number | null, now: number, lengthMs: number | null): boolean {
  if (playedAt === null) return false
  const length = Math.min(Math.max(lengthMs ?? LENGTH.usual, LENGTH.shortest), LENGTH.longest)
  // A time that is still to come was written with a clock ahead of time.
  return Number(playedAt) <= now && now < Number(playedAt) + length
}

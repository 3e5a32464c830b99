import type { Night } from '@marquee/contract/entities/night'
import type { AnyDb } from '@marquee/platform/database/database'
import { shorten } from '@marquee/platform/texts/one-line'

import { findInFeed, findTitles } from '../../movies/cards/service.ts'
import { findComment } from '../../movies/comments/service.ts'
import { findNightById } from '../../nights/nights/service.ts'
import { findWatchlistNames } from '../../club/watchlists/service.ts'
import type { MessageContent } from './message.ts'
import type { DeliveryRow } from './store.ts'

const MAX_QUOTE_LENGTH = 300

type Description = {
  readonly sentence: string
  readonly path?: string
  readonly data: Readonly<Record<string, unknown>>
}

/**
 * What a message says, read when it is sent. Undefined if there is nothing left to say: a card that is in the box again
 * is secret, a comment may be deleted, a decision undone, and a planned night cancelled or begun.
 */
export async function contentOf(
  db: AnyDb,
  row: DeliveryRow,
  { publicUrl, now }: { publicUrl: string; now: string },
): Promise<MessageContent | undefined> {
  const { watchlist_id: watchlistId, kind, username: by, created_at: at } = row
  const name = (await findWatchlistNames(db, [watchlistId])).get(watchlistId)
  if (name === undefined) return undefined
  const description = await describe(db, row, { watchlist: name, now })
  if (!description) return undefined
  const page = `${publicUrl}/watchlists/${watchlistId}`
  // The program has no name.
  const data = { watchlist: { id: watchlistId, name }, by: by === '' ? null : by, ...description.data }
  return { kind, at, sentence: description.sentence, url: `${page}${description.path ?? ''}`, data }
}

async function describe(
  db: AnyDb,
  row: DeliveryRow,
  place: { readonly watchlist: string; readonly now: string },
): Promise<Description | undefined> {
  const { watchlist } = place
  const { kind, username: by } = row
  switch (kind) {
    case 'test':
      return { sentence: `This is a test of ${by} in ${watchlist}`, data: {} }
    case 'member.joined':
      return { sentence: `${by} joined ${watchlist}`, data: {} }
    case 'card.revealed':
    case 'card.decided':
    case 'comment.added':
    case 'movie.arrived':
      return await describeCard(db, row, watchlist)
    case 'night.planned':
    case 'night.changed':
    case 'night.started':
      return await describeNight(db, { ...row, kind }, place)
  }
}

async function describeCard(db: AnyDb, row: DeliveryRow, watchlist: string): Promise<Description | undefined> {
  const { watchlist_id: watchlistId, card_id: cardId, item_id: itemId, kind, username: by } = row
  if (cardId === null) return undefined
  const state = await findInFeed(db, { watchlistId, cardId })
  const title = (await findTitles(db, watchlistId, [cardId])).get(cardId)
  if (!state || title === undefined) return undefined
  const card = { id: cardId, title, status: state.status }
  const about = `“${title}” in ${watchlist}`
  if (kind === 'card.revealed') return { sentence: `${by} revealed ${about}`, data: { card } }
  if (kind === 'card.decided') {
    if (state.status === 'REVEALED') return undefined
    return { sentence: `${by} ${state.status === 'WATCHED' ? 'accepted' : 'declined'} ${about}`, data: { card } }
  }
  if (kind === 'movie.arrived') return { sentence: `${about} has arrived`, data: { card } }
  const comment = itemId === null ? undefined : await findComment(db, { watchlistId, cardId, commentId: itemId })
  if (!comment) return undefined
  const { id, content } = comment
  const quote = shorten(content, MAX_QUOTE_LENGTH)
  return { sentence: `${by} commented on ${about}: ${quote}`, data: { card, comment: { id, content } } }
}

const NIGHT_VERBS = { 'night.planned': 'planned', 'night.changed': 'changed', 'night.started': 'started' } as const
type NightRow = DeliveryRow & { readonly kind: keyof typeof NIGHT_VERBS }

async function describeNight(
  db: AnyDb,
  row: NightRow,
  { watchlist, now }: { watchlist: string; now: string },
): Promise<Description | undefined> {
  const { watchlist_id: watchlistId, item_id: id, username: by, created_at: at, kind } = row
  const found = id === null ? undefined : await findNightById(db, { watchlistId, id }, now)
  if (!found) return undefined
  const { night: shown, cancelledAt } = found
  const isCancellation = kind === 'night.changed' && cancelledAt === at
  if (kind !== 'night.started' && !isCancellation && !liesAhead(shown, now)) return undefined
  const night = {
    id: shown.id,
    state: shown.state,
    times: shown.times.map(({ startsAt }) => startsAt),
    timeZone: shown.timeZone,
    place: shown.place,
  }
  const verb = isCancellation ? 'cancelled' : NIGHT_VERBS[kind]
  const times = shown.times.map(({ localTime }) => localTime.replace('T', ' ')).join(' or ')
  const when = kind === 'night.started' || times === '' ? '' : `: ${times} (${shown.timeZone})`
  return { sentence: `${by} ${verb} a movie night in ${watchlist}${when}`, path: '/night', data: { night } }
}

/** A night that was cancelled, has started, or whose last time has passed has no plan to report. */
function liesAhead({ state, times }: Night, now: string): boolean {
  return state === 'planned' && times.some(({ startsAt }) => startsAt > now)
}

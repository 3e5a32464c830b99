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
 * is secret, a comment may be deleted, and a decision undone.
 */
export async function contentOf(db: AnyDb, row: DeliveryRow, publicUrl: string): Promise<MessageContent | undefined> {
  const { watchlist_id: watchlistId, kind, username: by, created_at: at } = row
  const name = (await findWatchlistNames(db, [watchlistId])).get(watchlistId)
  if (name === undefined) return undefined
  const description = await describe(db, row, name)
  if (!description) return undefined
  const page = `${publicUrl}/watchlists/${watchlistId}`
  // The program has no name.
  const data = { watchlist: { id: watchlistId, name }, by: by === '' ? null : by, ...description.data }
  return { kind, at, sentence: description.sentence, url: `${page}${description.path ?? ''}`, data }
}

async function describe(db: AnyDb, row: DeliveryRow, watchlist: string): Promise<Description | undefined> {
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
      return await describeNight(db, row, watchlist)
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

async function describeNight(db: AnyDb, row: DeliveryRow, watchlist: string): Promise<Description | undefined> {
  const { watchlist_id: watchlistId, item_id: id, username: by, created_at: at } = row
  const found = id === null ? undefined : await findNightById(db, { watchlistId, id }, at)
  if (!found) return undefined
  const night = {
    id: found.id,
    state: found.state,
    times: found.times.map(({ startsAt }) => startsAt),
    timeZone: found.timeZone,
    place: found.place,
  }
  const verb = found.state === 'cancelled' ? 'cancelled' : NIGHT_VERBS[row.kind as keyof typeof NIGHT_VERBS]
  const times = found.times.map(({ localTime }) => localTime.replace('T', ' ')).join(' or ')
  const when = row.kind === 'night.started' || times === '' ? '' : `: ${times} (${found.timeZone})`
  return { sentence: `${by} ${verb} a movie night in ${watchlist}${when}`, path: '/night', data: { night } }
}

import { hash } from 'node:crypto'

import type { CardsPage } from '@marquee/contract/entities/card'
import { type Endpoint, ENDPOINTS } from '@marquee/contract/endpoints'
import { MOVE_TARGETS, type MoveTarget } from '@marquee/contract/rules/card-moves'

import type { Chance } from './chance.ts'
import {
  bodyOfEvening,
  EVENING,
  EVENING_CALLS,
  type EveningKind,
  type EveningKnowledge,
  type EveningRequest,
  eveningRequest,
  firstStepTo,
} from './evening-requests.ts'
import { type CallPlace, MEDIA } from './media-requests.ts'

/** A guest of a night has the token of their pass. */
export type Person = { userId: string; username: string; token?: string }

/** A request of a user. Titles, contents and names are unique, so that their effects can be distinguished. */
export type Request =
  | { kind: 'add'; title: string; reveals: boolean }
  | { kind: 'reveal' }
  | { kind: 'move'; cardId: string; to: MoveTarget }
  | { kind: 'edit'; cardId: string; title: string }
  | { kind: 'delete'; cardId: string }
  | { kind: 'comment'; cardId: string; content: string }
  | { kind: 'edit-comment'; cardId: string; commentId: string; content: string }
  | { kind: 'delete-comment'; cardId: string; commentId: string }
  | { kind: 'invite'; username: string }
  | { kind: 'accept' }
  | { kind: 'decline' }
  | { kind: 'withdraw'; username: string }
  | { kind: 'remove'; username: string }
  | { kind: 'create'; name: string }
  | { kind: 'read' }
  | { kind: 'count' }
  | EveningRequest

type Kind = Request['kind']

/** The API call, and whether it has an idempotency key. */
export type ApiCall = { method: Endpoint['method']; path: string; body?: object; isKeyed: boolean }

const CALLS: Record<Kind, CallPlace> = {
  add: ENDPOINTS.addCard,
  reveal: ENDPOINTS.revealRandomCard,
  move: ENDPOINTS.moveCard,
  edit: ENDPOINTS.editCard,
  delete: ENDPOINTS.deleteCard,
  comment: ENDPOINTS.addComment,
  'edit-comment': ENDPOINTS.editComment,
  'delete-comment': ENDPOINTS.deleteComment,
  invite: ENDPOINTS.inviteUser,
  accept: ENDPOINTS.acceptReceivedInvitation,
  decline: ENDPOINTS.declineInvitation,
  withdraw: ENDPOINTS.withdrawInvitation,
  remove: ENDPOINTS.removeMember,
  create: ENDPOINTS.createWatchlist,
  read: ENDPOINTS.listCards,
  count: ENDPOINTS.countSuggestedCards,
  ...EVENING_CALLS,
}

/** The weight of each kind of request; a missing kind is not sent. */
export type Weights = Partial<Record<Kind, number>>

/** What members do on any day. */
export const EVERY_DAY: Weights = {
  add: 6,
  reveal: 6,
  move: 6,
  edit: 2,
  delete: 2,
  comment: 4,
  'edit-comment': 1,
  'delete-comment': 1,
  invite: 2,
  accept: 2,
  decline: 1,
  withdraw: 1,
  remove: 1,
  create: 1,
  read: 10,
  count: 1,
}

/** What members do in the evening. */
export const EVENINGS: Weights = { ...EVERY_DAY, reveal: 2, read: 4, remove: 2, create: 0, ...EVENING }

/** A night on which little else is done than to draw and to vote. */
export const VOTES: Weights = {
  add: 4,
  prepare: 8,
  'open-vote': 8,
  ballot: 20,
  veto: 6,
  'set-vetoes': 2,
  'close-vote': 2,
  move: 5,
  undo: 8,
  arrive: 2,
  'add-guest': 2,
  end: 1,
  read: 6,
  count: 1,
}

/** Members who bring their lists, and change their mind. */
export const IMPORTS: Weights = { add: 2, reveal: 2, import: 6, apply: 10, 'undo-import': 8, read: 2, count: 1 }

/** What members do who watch alone, at their own servers. */
export const ALONE: Weights = { ...MEDIA, invite: 1, accept: 1, remove: 1, move: 1, read: 1 }

const POSTER = 'https://posters.example.org/a.jpg'

export function apiCallOf(request: Request, watchlistId: string, picture = POSTER): ApiCall {
  const endpoint = CALLS[request.kind]
  const params: Readonly<Record<string, unknown>> = { watchlistId, ...request }
  const path = endpoint.path.replaceAll(/:(\w+)/gu, (_match, name: string) => String(params[name]))
  return {
    method: endpoint.method,
    path: request.kind === 'read' ? `${path}?limit=50` : path,
    ...bodyOf(request, picture),
    isKeyed: endpoint.takesKey === true,
  }
}

function bodyOf(request: Request, picture: string): { body?: object } {
  if (isOfEvening(request)) return bodyOfEvening(request)
  switch (request.kind) {
    case 'add':
      return {
        body: {
          title: request.title,
          movie: { ids: { tmdb: tmdbIdOf(request.title) } },
          image: request.reveals ? picture : POSTER,
          revealImmediately: request.reveals,
        },
      }
    case 'edit':
      return { body: { title: request.title } }
    case 'move':
      return { body: { status: request.to } }
    case 'comment':
    case 'edit-comment':
      return { body: { content: request.content } }
    case 'invite':
      return { body: { username: request.username } }
    case 'create':
      return { body: { name: request.name } }
    case 'reveal':
    case 'delete':
    case 'delete-comment':
    case 'accept':
    case 'decline':
    case 'withdraw':
    case 'remove':
    case 'read':
    case 'count':
      return {}
  }
}

/** Titles are unique, and so are the ids of their movies. */
function tmdbIdOf(title: string): string {
  return String(1 + Number.parseInt(hash('sha256', title).slice(0, 7), 16))
}

/** What the users of a watchlist have seen of it, so that they act on what may exist. */
export type Knowledge = {
  cardIds: string[]
  comments: { cardId: string; commentId: string }[]
  evening: EveningKnowledge
}

/** Learns from a page of the feed. Cards in the box stay known. */
export function learn(known: Knowledge, page: CardsPage): void {
  for (const { id, lastComments } of page.cards) {
    if (!known.cardIds.includes(id)) known.cardIds.push(id)
    for (const { commentId, cardId } of lastComments) {
      if (!known.comments.some((comment) => comment.commentId === commentId)) known.comments.push({ commentId, cardId })
    }
  }
}

/** Draws requests, each with a unique text. */
export function requestDrawer(
  chance: Chance,
  { weights, people, known }: { weights: Weights; people: readonly Person[]; known: Knowledge },
): (by: Person) => Request {
  const kinds = Object.entries(weights).flatMap(([kind, weight]) => Array<Kind>(weight).fill(kind as Kind))
  let drawn = 0

  return (by) => {
    drawn += 1
    const picked = chance.pick(kinds) ?? 'read'
    const isInOrder = isEveningKind(picked) && !chance.isOneIn(5)
    const kind = isInOrder ? firstStepTo(picked, by.username, known.evening) : picked
    const text = `${kind} ${drawn}`
    const cardId = recent(chance, known.cardIds) ?? 'none'
    const comment = recent(chance, known.comments) ?? { cardId, commentId: 'none' }
    const username = chance.pick(people)?.username ?? 'none'
    if (isEveningKind(kind)) {
      return eveningRequest(chance, { kind, text, cardId, username: by.username }, known.evening)
    }
    switch (kind) {
      case 'add':
        return { kind, title: text, reveals: chance.isOneIn(4) }
      case 'move':
        return { kind, cardId, to: chance.pick(MOVE_TARGETS) ?? 'SUGGESTED' }
      case 'edit':
        return { kind, cardId, title: text }
      case 'comment':
        return { kind, cardId, content: text }
      case 'delete':
        return { kind, cardId }
      case 'edit-comment':
        return { kind, ...comment, content: text }
      case 'delete-comment':
        return { kind, ...comment }
      case 'invite':
      case 'withdraw':
      case 'remove':
        return { kind, username }
      case 'create':
        return { kind, name: text }
      case 'reveal':
      case 'accept':
      case 'decline':
      case 'read':
      case 'count':
        return { kind }
    }
  }
}

export function isOfEvening(request: Request): request is EveningRequest {
  return isEveningKind(request.kind)
}

function isEveningKind(kind: Kind): kind is EveningKind {
  return Object.hasOwn(EVENING, kind)
}

/** Users mostly act on what came last. */
function recent<T>(chance: Chance, from: readonly T[]): T | undefined {
  return chance.pick(chance.isOneIn(4) ? from : from.slice(-6))
}

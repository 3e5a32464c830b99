import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'

import type { Chance } from './chance.ts'
import { emptyEvening, learnOfEvening } from './evening-requests.ts'
import type { MediaKnowledge } from './media-requests.ts'
import {
  type ApiCall,
  apiCallOf,
  isOfEvening,
  type Knowledge,
  learn,
  type Person,
  type Request,
  requestDrawer,
  type Weights,
} from './requests.ts'

export type Answer = {
  status: number
  body: unknown
  etag: string | undefined
  /** Whether a load balancer had already sent the request to a process that broke the connection. */
  isSentBefore?: boolean
}

/** Receives requests, and knows the number of the last committed change. */
export type Instance = {
  /** Undefined if the result is unknown: the connection broke, or the reply says to try again. */
  send: (by: Person, call: ApiCall, headers: Record<string, string>) => Promise<Answer | undefined>
  /** The number of a change that is known to be committed, with all before it that explain replies. */
  positionBefore: () => Promise<number>
  /** The number of the last committed change. */
  positionAfter: () => Promise<number>
}

/** One attempt of a request; `from` and `to` are the positions before it and after its reply. */
export type Attempt = { from: number; to: number; answer: Answer | undefined }

/** A request with all its attempts. Those of a request with a key all have the same key. */
export type Entry = { by: Person; request: Request; isKeyed: boolean; attempts: Attempt[] }

export function describe({ by, request }: Entry): string {
  return `${by.username} ${JSON.stringify(request)}`
}

type Setting = {
  instance: Instance
  chance: Chance
  newKey: () => string
  watchlistId: string
  people: readonly Person[]
  weights: Weights
  /** The night that is open at first. */
  openNightId?: string
  /** The media server whose films have cards. */
  media?: MediaKnowledge
  /** Called before a request is sent again. */
  beforeRetry?: () => Promise<void>
}

/**
 * Users who send one request after the other. Each request is repeated until it is answered, and some are sent several
 * times at once, like a double click or an impatient client.
 */
export function startClients(setting: Setting): { journal: Entry[]; askOnce: (picture?: string) => Promise<void> } {
  const { instance, chance, people, watchlistId, beforeRetry } = setting
  const journal: Entry[] = []
  const known: Knowledge = { cardIds: [], comments: [], evening: emptyEvening(setting) }
  const draw = requestDrawer(chance, { ...setting, known })
  let latest: Answer | undefined

  async function attempt(
    entry: Entry,
    call: ApiCall,
    headers: Record<string, string>,
    held?: Answer,
  ): Promise<boolean> {
    const from = await instance.positionBefore()
    const attempted: Attempt = { from, to: Infinity, answer: undefined }
    entry.attempts.push(attempted)
    const answer = await instance.send(entry.by, call, headers)
    if (!answer) return false
    attempted.to = await instance.positionAfter()
    // The client's page is the reply if nothing has changed.
    attempted.answer = answer.status === 304 ? held : answer
    if (answer.status < 300) takeIn(entry, answer)
    return true
  }

  function takeIn({ request, by: { username } }: Entry, answer: Answer): void {
    const { kind } = request
    const { body } = answer
    if (isOfEvening(request)) learnOfEvening(known.evening, request, { body, username })
    if (request.kind === 'move' && request.to !== 'SUGGESTED')
      known.evening.decided.push({ id: request.cardId, username })
    if (kind === 'reveal-draw') known.cardIds.push(...(body as { cards: Card[] }).cards.map(({ id }) => id))
    if (kind === 'add' || kind === 'reveal') known.cardIds.push((body as Card).id)
    if (kind === 'comment') {
      const { cardId, commentId } = body as Comment
      known.comments.push({ cardId, commentId })
    }
    if (kind === 'read') learn(known, body as CardsPage)
    if (kind === 'read') latest = answer
  }

  /** Some ballots and vetoes are those of guests. */
  function voterOf({ kind }: Request): Person | undefined {
    const isOfGuest = (kind === 'ballot' || kind === 'veto') && chance.isOneIn(3)
    return isOfGuest ? chance.pick(known.evening.guests.slice(-2)) : undefined
  }

  /** With a `picture`, some requests bring it. */
  async function askOnce(picture?: string): Promise<void> {
    const member = chance.pick(people)
    if (!member) throw new Error('There is no one to ask')
    const request = draw(member)
    const by = voterOf(request) ?? member
    const call = apiCallOf(request, watchlistId, picture)
    const entry: Entry = { by, request, isKeyed: call.isKeyed, attempts: [] }
    journal.push(entry)
    const held = request.kind === 'read' && !chance.isOneIn(4) ? latest : undefined
    const headers: Record<string, string> = {
      ...(call.isKeyed && { 'idempotency-key': setting.newKey() }),
      ...(held?.etag !== undefined && { 'if-none-match': held.etag }),
    }
    const copies = call.isKeyed && chance.isOneIn(3) ? 2 + chance.below(2) : 1
    const answered = await Promise.all(
      Array.from({ length: copies }, async () => await attempt(entry, call, headers, held)),
    )
    // The result of a lost request is known only from the reply to a later attempt.
    let isKnown = answered.every(Boolean)
    while (!isKnown) {
      await beforeRetry?.()
      isKnown = await attempt(entry, call, headers, held)
    }
  }

  return { journal, askOnce }
}

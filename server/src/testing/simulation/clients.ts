import type { Card, CardsPage } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'

import type { Chance } from './chance.ts'
import {
  type ApiCall,
  apiCallOf,
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
  /** Whether a load balancer sent the request before, to a process that broke off. */
  isSentBefore?: boolean
}

/** Where requests go, and how far the changes have come that are committed there. */
export type Instance = {
  /** Undefined if it is not known what came of it: the connection broke, or the answer says to try again. */
  send: (by: Person, call: ApiCall, headers: Record<string, string>) => Promise<Answer | undefined>
  /** The number of a change that is committed already: the last one, as far as it is known. */
  positionBefore: () => Promise<number>
  /** The number of the last change that is committed. */
  positionAfter: () => Promise<number>
}

/** One try of a request; `from` and `to` are the positions before it and once it was answered. */
export type Attempt = { from: number; to: number; answer: Answer | undefined }

/** A request with all tries of it; those with a key are all sent with the same. */
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
  picture?: string | undefined
  /** Called before a request is sent again. */
  beforeRetry?: () => Promise<void>
}

/**
 * People who ask for one thing after the other. Each request is sent until it is answered, some several times at once,
 * as a double click or an impatient client does.
 */
export function startClients(setting: Setting): { journal: Entry[]; askOnce: () => Promise<void> } {
  const { instance, chance, people, watchlistId, picture, beforeRetry } = setting
  const journal: Entry[] = []
  const known: Knowledge = { cardIds: [], comments: [] }
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
    // The page it holds is the answer when nothing has changed.
    attempted.answer = answer.status === 304 ? held : answer
    if (answer.status < 300) takeIn(entry.request, answer)
    return true
  }

  function takeIn({ kind }: Request, answer: Answer): void {
    const { body } = answer
    if (kind === 'add' || kind === 'reveal') known.cardIds.push((body as Card).id)
    if (kind === 'comment') {
      const { cardId, commentId } = body as Comment
      known.comments.push({ cardId, commentId })
    }
    if (kind === 'read') learn(known, body as CardsPage)
    if (kind === 'read') latest = answer
  }

  async function askOnce(): Promise<void> {
    const by = chance.pick(people)
    if (!by) throw new Error('There is no one to ask')
    const request = draw()
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
    // What came of a lost one is known only from an answer to a later one.
    let isKnown = answered.every(Boolean)
    while (!isKnown) {
      await beforeRetry?.()
      isKnown = await attempt(entry, call, headers, held)
    }
  }

  return { journal, askOnce }
}

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

import type { Card } from '@marquee/contract/entities/card'
import type { Comment } from '@marquee/contract/entities/comment'
import type { Invitation } from '@marquee/contract/entities/invitation'

const TRY_AGAIN_MS = 25
const INVITATION_PAUSE_MS = 100
/** Of so many answers one gets lost on its way: the write was done, and is asked for again. */
const ONE_LOST_OF = 8
/** Nobody tries one write for longer than that. */
const GIVES_UP_MS = 90_000

/** Every write that was acknowledged, and what may not happen. */
export type Acknowledged = {
  readonly cards: Set<string>
  readonly comments: Map<string, { cardId: string }>
  /** Every draw, by the card it gave, in the order of the replies. */
  readonly reveals: string[]
  /** Every card that was put back into the box. */
  readonly putBack: string[]
  /** The tokens of invitations: each is in one mail. */
  readonly invitations: Set<string>
  /** Replies that are neither a success nor say to try again. */
  readonly faults: string[]
  /** How often a write had to be tried again. */
  tries: number
}

export type WriteLoad = {
  readonly acknowledged: Acknowledged
  /** How many writes were acknowledged so far. */
  count: () => number
  /** Resolves once so many more writes are acknowledged. */
  goOnFor: (writes: number) => Promise<void>
  /** Lets every writer finish what it began: afterwards each write it ever began is acknowledged. */
  stop: () => Promise<void>
}

type Target = {
  url: string
  token: string
  watchlistId: string
  /** The username of somebody who is invited over and over. */
  invitee: string
  /** A picture some of the cards are given, as a data URL; without one all have the address of one elsewhere. */
  picture?: string
  /** How long each of them rests between two writes. */
  restMs?: number
}

const ELSEWHERE = 'https://posters.example.org/a.jpg'

type Answer<T> = { status: number; body: T }

/**
 * Several people at once who add cards, comment, draw, put back and invite, each with a key for each write, and try
 * again with the same key, as the web app does, until they are answered; every eighth answer is lost on its way. So every
 * write happens once, whatever happens.
 */
export function startWriteLoad({
  url,
  token,
  watchlistId,
  invitee,
  picture = ELSEWHERE,
  restMs = 0,
}: Target): WriteLoad {
  const acknowledged: Acknowledged = {
    cards: new Set(),
    comments: new Map(),
    reveals: [],
    putBack: [],
    invitations: new Set(),
    faults: [],
    tries: 0,
  }
  /** Paths that were asked for again after an answer did not come. */
  const repeated = new Set<string>()
  let isOver = false
  let answers = 0

  async function ask<T>(method: string, path: string, key: string, body?: object): Promise<Answer<T> | undefined> {
    try {
      const response = await fetch(`${url}/api/watchlists/${watchlistId}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      const answer = { status: response.status, body: (await response.json()) as T }
      // Whoever is asked to try again, by the program or what stands before it, does.
      return response.status === 502 || response.status === 503 ? undefined : answer
    } catch {
      return undefined // the connection broke: nobody knows what came of it
    }
  }

  async function write<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
    const key = randomUUID()
    const giveUpAt = performance.now() + GIVES_UP_MS
    for (let isRepeated = false; ; isRepeated = true) {
      const answer = await ask<T>(method, path, key, body)
      answers += 1
      // Keys are for what creates: putting back again would undo what another did in between.
      const isLost = answer && method === 'POST' && !isRepeated && answers % ONE_LOST_OF === 0
      if (isLost) continue
      if (answer) return answer
      if (performance.now() > giveUpAt) throw new Error(`${method} ${path} was never answered`)
      repeated.add(path)
      acknowledged.tries += 1
      await pause(TRY_AGAIN_MS)
    }
  }

  function isFine({ status, body }: Answer<unknown>, what: string): boolean {
    if (status < 300) return true
    acknowledged.faults.push(`${what}: ${status} ${JSON.stringify(body)}`)
    return false
  }

  async function addCard(revealImmediately: boolean): Promise<Card | undefined> {
    const card = { title: 'Kept', image: revealImmediately ? picture : ELSEWHERE, revealImmediately }
    const answer = await write<Card>('POST', '/cards', card)
    if (!isFine(answer, 'adding')) return undefined
    acknowledged.cards.add(answer.body.id)
    if (revealImmediately) acknowledged.reveals.push(answer.body.id)
    return answer.body
  }

  const fillBox = async (): Promise<void> => {
    await addCard(false)
  }

  async function addAndComment(): Promise<void> {
    const card = await addCard(true)
    if (!card) return
    const answer = await write<Comment>('POST', `/cards/${card.id}/comments`, { content: 'Tonight?' })
    if (isFine(answer, 'commenting')) acknowledged.comments.set(answer.body.commentId, { cardId: card.id })
  }

  /** Draws; every other card goes back, so that the box is drawn from again and again. */
  async function draw(): Promise<void> {
    const answer = await write<Card>('POST', '/cards/reveal')
    if (answer.status === 404) return await pause(TRY_AGAIN_MS) // the box is empty just now
    if (!isFine(answer, 'drawing')) return
    const { id } = answer.body
    acknowledged.reveals.push(id)
    if (acknowledged.reveals.length % 2 === 0) return
    const path = `/cards/${id}/status`
    const moved = await write('PUT', path, { status: 'SUGGESTED' })
    // One whose answer was lost has been put back already, and may have been drawn again: 400 or 404. And who asks again
    // may put back what another has drawn since, who then hears the same.
    const isKnownToBe = moved.status < 300 || (repeated.has(path) && moved.status < 500)
    if (isKnownToBe || isFine(moved, 'putting back')) acknowledged.putBack.push(id)
  }

  async function invite(): Promise<void> {
    const answer = await write<Invitation>('POST', '/invitations', { username: invitee })
    if (isFine(answer, 'inviting')) acknowledged.invitations.add(answer.body.token)
    await pause(INVITATION_PAUSE_MS)
  }

  const writers = [fillBox, addAndComment, addAndComment, draw, draw, invite].map(async (doOnce) => {
    while (!isOver) {
      await doOnce()
      await pause(restMs)
    }
  })
  const ended = Promise.all(writers)
  ended.catch(() => undefined) // is told by whoever waits for it

  function count(): number {
    const { cards, comments, reveals, putBack, invitations } = acknowledged
    return cards.size + comments.size + reveals.length + putBack.length + invitations.size
  }

  return {
    acknowledged,
    count,
    goOnFor: async (writes) => {
      const goal = count() + writes
      const giveUpAt = performance.now() + GIVES_UP_MS
      while (count() < goal) {
        if (performance.now() > giveUpAt) throw new Error(`Only ${count()} of ${goal} writes were acknowledged in time`)
        await pause(TRY_AGAIN_MS)
      }
    },
    stop: async () => {
      isOver = true
      await ended
    },
  }
}

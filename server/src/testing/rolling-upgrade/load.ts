import { setTimeout as pause } from 'node:timers/promises'

import { systemRandom } from '@marquee/platform/runtime/random'

import type { PlacedCard } from './fill-cards.ts'

/** A request is repeated as a client does: if no process answered, or one says that it cannot at the moment. */
const REPEATED = new Set([502, 503, 504])
const ATTEMPTS = 40
const PAUSE_MS = 50

type Call = { method: string; path: string; body?: unknown }

export type LoadReport = {
  requests: number
  writes: number
  repeats: number
  /** Requests that failed in spite of repeats, or with another error. */
  failures: readonly string[]
  /** The longest time in which no write succeeded. */
  longestGapMs: number
  /** The writes of each second. */
  writesBySecond: readonly number[]
}

/** Sends requests at a fixed rate until `stop`, whether or not earlier ones have been answered. */
export function startLoad(given: {
  url: string
  token: string
  cards: readonly PlacedCard[]
  /** Whether the earlier version has ratings. */
  hasRatings: boolean
  perSecond: number
}): {
  stop: () => Promise<LoadReport>
} {
  const { url, token, cards, hasRatings, perSecond } = given
  const failures: string[] = []
  const writesBySecond: number[] = []
  const running = new Set<Promise<void>>()
  const began = performance.now()
  let [requests, writes, repeats, longestGapMs, lastWrite] = [0, 0, 0, 0, began]
  const noteWrite = (): void => {
    const now = performance.now()
    const second = Math.floor((now - began) / 1000)
    writes += 1
    writesBySecond[second] = (writesBySecond[second] ?? 0) + 1
    longestGapMs = Math.max(longestGapMs, now - lastWrite)
    lastWrite = now
  }

  async function send(call: Call): Promise<void> {
    const key = systemRandom.uuid()
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${url}/api${call.path}`, {
        method: call.method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(call.method === 'POST' && { 'idempotency-key': key }),
          ...(call.body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      }).then(
        async (reply) => ({ status: reply.status, text: await reply.text() }),
        (error: unknown) => ({ status: 0, text: String(error) }),
      )
      if (answer.status >= 200 && answer.status < 300) {
        if (call.method !== 'GET') noteWrite()
        return
      }
      const mayRepeat = answer.status === 0 || REPEATED.has(answer.status)
      if (!mayRepeat || attempt === ATTEMPTS) {
        failures.push(`${call.method} ${call.path}: ${answer.status} ${answer.text.slice(0, 200)}`)
        return
      }
      repeats += 1
      await pause(PAUSE_MS)
    }
  }

  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - began) / 1000) * perSecond
    for (; sent < due; sent += 1) {
      requests += 1
      const one = send(callOf(sent, cards, hasRatings)).finally(() => running.delete(one))
      running.add(one)
    }
  }, 5)

  return {
    stop: async () => {
      clearInterval(timer)
      await Promise.all(running)
      longestGapMs = Math.round(longestGapMs)
      return {
        requests,
        writes,
        repeats,
        failures,
        longestGapMs,
        writesBySecond: Array.from(writesBySecond, (n: number | undefined) => n ?? 0),
      }
    },
  }
}

/** Three writes and a read in turn, each to another watchlist. A rating also reads the marks of its card. */
function callOf(n: number, cards: readonly PlacedCard[], hasRatings: boolean): Call {
  const card = cards[Math.floor(n / 4) % cards.length]
  const watchlist = `/watchlists/${card?.watchlistId}`
  if (n % 4 === 0) {
    const body = { title: `Film ${n}`, image: `https://posters.example.org/new-${n}.jpg` }
    return { method: 'POST', path: `${watchlist}/cards`, body }
  }
  if (n % 4 === 1) return { method: 'PUT', path: watchlist, body: { name: `Films ${n}` } }
  if (n % 4 === 2 && hasRatings)
    return { method: 'PUT', path: `${watchlist}/cards/${card?.cardId}/viewing`, body: { stars: 4 } }
  return { method: 'GET', path: `${watchlist}/cards` }
}

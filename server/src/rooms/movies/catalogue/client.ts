import pLimit from 'p-limit'
import type { z } from 'zod'

import type { RateLimit, RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { Clock } from '@marquee/platform/runtime/clock'
import { reasonOf } from '@marquee/platform/runtime/reason-of'

import { OwnLimitReached, SourceUnavailable, UnexpectedAnswer } from './source.ts'

/** This much is parsed in a few milliseconds. Larger answers are left to `bytes`, and parsed in a thread. */
const MAX_JSON_BYTES = 1024 * 1024
const MAX_WAITING = 100
/** After a 429 that does not say how long to wait. */
const PAUSE_SECONDS = 10
const MAX_PAUSE_SECONDS = 3600
/** The part of the limit for requests that no one waits for. */
const IN_BACKGROUND = 1 / 3
const OF_SOURCE = 'The source counts the calls of the installation, and shuts it out over its limit'

export type ClientPorts = { readonly limiter: RateLimiter; readonly clock: Clock; readonly userAgent: string }

type SourceLimits = {
  readonly limit: RateLimit
  readonly parallel: number
  readonly headers?: Record<string, string>
}

/** Asks one source at the address that the settings name. Throws `SourceUnavailable` for all but the expected answer. */
export type SourceClient = {
  /** Undefined for a 404. */
  readonly json: <T>(url: URL, schema: z.ZodType<T>, deadline: AbortSignal) => Promise<T | undefined>
  readonly bytes: (url: URL, maxBytes: number, deadline: AbortSignal) => Promise<Buffer | undefined>
}

/**
 * All users share one limit per source, and at most `parallel` requests of a process run at once. `inBackground` asks one
 * by one, and uses only a part of the limit, so that members' requests find room however many others wait. After a 429 or a
 * `Retry-After`, the process does not ask the source until that time is over. Redirects are not followed: only the address
 * from the settings may be internal.
 */
export function createSourceClient(
  source: string,
  { limit, parallel, headers = {} }: SourceLimits,
  { limiter, clock, userAgent }: ClientPorts,
): SourceClient & { readonly inBackground: SourceClient } {
  const queue = pLimit(parallel)
  const background = pLimit(1)
  let pausedUntil = 0

  /** The seconds until the source may be asked again. */
  function pauseLeft(): number {
    return Math.max(0, Math.ceil((pausedUntil - clock.now().getTime()) / 1000))
  }

  async function take(key: string, max: number): Promise<void> {
    const refusal = await limiter.take('catalogueSource', key, { ...limit, max, sharedBecause: OF_SOURCE })
    if (refusal) throw new OwnLimitReached(source, 'the limit of our own is reached', refusal)
  }

  async function admit(isInBackground: boolean): Promise<void> {
    const retryAfterSeconds = pauseLeft()
    if (retryAfterSeconds > 0) throw new SourceUnavailable(source, 'asked us to wait', { retryAfterSeconds })
    if (queue.pendingCount >= MAX_WAITING) throw new SourceUnavailable(source, 'too many requests are waiting')
    if (isInBackground) await take(`${source} in background`, Math.floor(limit.max * IN_BACKGROUND))
    await take(source, limit.max)
  }

  async function fetchBytes(url: URL, maxBytes: number, deadline: AbortSignal): Promise<Buffer | undefined> {
    const response = await fetch(url, {
      headers: { 'user-agent': userAgent, ...headers },
      redirect: 'manual',
      signal: deadline,
    })
    if (response.status === 200) return await readBody(response, maxBytes)
    await response.body?.cancel()
    if (response.status === 404) return undefined
    const seconds = retryAfterOf(response, clock) ?? (response.status === 429 ? PAUSE_SECONDS : 0)
    const until = clock.now().getTime() + Math.min(seconds, MAX_PAUSE_SECONDS) * 1000
    pausedUntil = Math.max(pausedUntil, until)
    const Fault = seconds === 0 && mayBeOfOneMovie(response.status) ? UnexpectedAnswer : SourceUnavailable
    throw new Fault(source, `answered ${response.status}`, { retryAfterSeconds: pauseLeft() })
  }

  function openAs(isInBackground: boolean): SourceClient {
    const bytes: SourceClient['bytes'] = async (url, maxBytes, deadline) => {
      const ask = async () => {
        await admit(isInBackground)
        return await queue(async () => await fetchBytes(url, maxBytes, deadline))
      }
      try {
        return isInBackground ? await background(ask) : await ask()
      } catch (error) {
        if (error instanceof SourceUnavailable) throw error
        const reason = deadline.aborted ? 'no answer in time' : reasonOf(error)
        throw new SourceUnavailable(source, reason, { cause: error })
      }
    }
    return {
      bytes,
      json: async (url, schema, deadline) => {
        const body = await bytes(url, MAX_JSON_BYTES, deadline)
        return body === undefined ? undefined : parseAnswer(source, body, schema)
      },
    }
  }

  return { ...openAs(false), inBackground: openAs(true) }
}

/** Whether a status may be about one movie: it is neither that of a refused token nor that of a page for people. */
function mayBeOfOneMovie(status: number): boolean {
  return status >= 400 && status !== 401 && status !== 403
}

/** Counts the bytes after decompression, so that a small body cannot become a large one. */
async function readBody(response: Response, maxBytes: number): Promise<Buffer> {
  const body: AsyncIterable<Uint8Array> | Uint8Array[] = response.body ?? []
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > maxBytes) throw new Error(`more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** @throws {UnexpectedAnswer} */
export function parseAnswer<T>(source: string, body: Buffer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(parseJson(source, body))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new UnexpectedAnswer(source, `unexpected answer at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
}

function parseJson(source: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new UnexpectedAnswer(source, 'the answer is not JSON', { cause: error })
  }
}

/** `Retry-After` is a number of seconds or a date. */
function retryAfterOf(response: Response, clock: Clock): number | undefined {
  const value = response.headers.get('retry-after')
  if (value === null) return undefined
  const seconds = /^\d+$/u.test(value) ? Number(value) : (Date.parse(value) - clock.now().getTime()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}

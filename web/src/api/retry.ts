import { isApiError } from './api-error.ts'

const ATTEMPTS = 3
const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5 * 60_000
/** Users do not wait longer for a spinner. They see the failure instead. */
const MAX_ASKED_MS = 10_000
const RETRYABLE_STATUS = new Set([429, 500, 502, 503, 504])

/** Waits so many milliseconds. Rejects with the signal's reason when aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Throttling, 429, 500, 502, 503, 504, timeouts and network errors. See docs/product/errors.md. */
function isRetryable(error: unknown): boolean {
  if (!isApiError(error) || (error.retryAfterMs ?? 0) > MAX_ASKED_MS) return false
  return error.kind === 'NETWORK_ERROR' || (error.status !== undefined && RETRYABLE_STATUS.has(error.status))
}

/**
 * Makes 3 attempts, with an exponential delay of at most 5 minutes and at least `Retry-After`. Only for calls that may
 * be sent twice.
 */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  { wait, signal }: { wait: Wait; signal: AbortSignal | undefined },
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (failures >= ATTEMPTS || !isRetryable(error)) throw error
      const asked = isApiError(error) ? (error.retryAfterMs ?? 0) : 0
      await wait(Math.max(asked, Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), MAX_DELAY_MS)), signal)
    }
  }
}

export const waitOnTimer: Wait = async (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done() {
      signal?.removeEventListener('abort', stop)
      resolve()
    }
    function stop() {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

import { isApiError } from './api-error.ts'

const ATTEMPTS = 3
const FIRST_DELAY_MS = 200
const MAX_DELAY_MS = 5 * 60_000
/** Nobody looks at a turning circle for longer: who must wait for more than this is told so. */
const MAX_ASKED_MS = 10_000
const RETRYABLE_STATUS = new Set([429, 500, 502, 503, 504])

/** Waits so many milliseconds; rejects with the signal's reason when it is aborted. */
export type Wait = (ms: number, signal: AbortSignal | undefined) => Promise<void>

/** Spec section 8, "Retry rule": throttling, 429, 500, 502, 503, 504, timeouts and network errors. */
function isRetryable(error: unknown): boolean {
  if (!isApiError(error) || (error.retryAfterMs ?? 0) > MAX_ASKED_MS) return false
  return error.kind === 'NETWORK_ERROR' || (error.status !== undefined && RETRYABLE_STATUS.has(error.status))
}

/**
 * Spec section 9: 3 attempts, exponential delay capped at 5 minutes, and never sooner than the server asked for. Only for
 * what may be asked twice.
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

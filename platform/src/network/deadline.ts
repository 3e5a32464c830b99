import { RefusedUrl } from './refused-url.ts'

/**
 * Waits for `work`, but not longer than the deadline, and gives what goes wrong its reason: `time` once the deadline
 * has passed, otherwise `network`; a refusal stays what it is. The work itself goes on unless it heeds the signal.
 * @throws {RefusedUrl}
 */
export async function within<Result>(deadline: AbortSignal, work: Promise<Result>): Promise<Result> {
  const { promise: passed, reject } = Promise.withResolvers<never>()
  const stop = () => {
    reject(new RefusedUrl('time', 'the deadline passed'))
  }
  deadline.addEventListener('abort', stop, { once: true })
  if (deadline.aborted) stop()
  try {
    return await Promise.race([passed, work])
  } catch (error) {
    if (error instanceof RefusedUrl) throw error
    if (deadline.aborted) throw new RefusedUrl('time', 'the deadline passed', error)
    throw new RefusedUrl('network', error instanceof Error ? error.message : 'failed', error)
  } finally {
    deadline.removeEventListener('abort', stop)
  }
}

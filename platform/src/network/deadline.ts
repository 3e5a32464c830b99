import { RefusedUrl } from './refused-url.ts'

/**
 * Waits for `work` until the deadline. A failure becomes a RefusedUrl: `time` after the deadline, otherwise `network`. A
 * RefusedUrl is not changed. The work itself continues unless it listens to the signal.
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

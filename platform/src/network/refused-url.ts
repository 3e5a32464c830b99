/**
 * Why a URL was not fetched. For logs and tests only: the user learns only that the URL cannot be used, because the
 * difference between "refused", "closed" and "slow" would let an attacker map a network through this server.
 *
 * - `url` not an absolute URL
 * - `scheme` not http or https
 * - `credentials` a login in the URL
 * - `port` a port that is not for the web
 * - `address` an address, or a name with an address, that must not be dialled
 * - `redirects` too many, or one without a valid target
 * - `status` an answer that is neither 200 nor a redirect
 * - `encoding` a compressed body, though none was asked for
 * - `size` more bytes than allowed, declared or sent
 * - `content` not the expected kind of file
 * - `time` the deadline passed
 * - `certificate` the certificate is of another name, expired, or of an unknown authority
 * - `network` the name, the connection or the answer is broken
 */
export type Refusal =
  | 'url'
  | 'scheme'
  | 'credentials'
  | 'port'
  | 'address'
  | 'redirects'
  | 'status'
  | 'encoding'
  | 'size'
  | 'content'
  | 'time'
  | 'certificate'
  | 'network'

/** A URL was not fetched, or its reply was rejected. */
export class RefusedUrl extends Error {
  override readonly name = 'RefusedUrl'
  readonly reason: Refusal
  /** For `status`, the code. */
  readonly detail: string

  constructor(reason: Refusal, detail: string, cause?: unknown) {
    super(`Refused (${reason}): ${detail}`, { cause })
    this.reason = reason
    this.detail = detail
  }
}

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

const RETRY_AFTER_SECONDS = 5

/** The user pool cannot be asked just now, so nothing can be said about a token or a name; later it may be. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable'
  readonly retryAfterSeconds = RETRY_AFTER_SECONDS
}

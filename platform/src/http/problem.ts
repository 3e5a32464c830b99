/**
 * Thrown by a handler to answer with an error: the kernel replies `{"type", "message"}`. `type` comes from the caller's
 * closed list. Any other error becomes a 500 without details.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>

  constructor(options: {
    status: number
    type: string
    message: string
    headers?: Readonly<Record<string, string>>
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.status = options.status
    this.type = options.type
    this.headers = options.headers ?? {}
  }
}

/**
 * What a handler throws to answer with an error: the kernel makes `{"type", "message"}` of it. `type` comes from the
 * caller's closed list; anything else that is thrown becomes a bland 500.
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

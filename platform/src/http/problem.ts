import type { FastifyError } from 'fastify'

/**
 * Thrown by a handler to answer with an error: the kernel replies `{"type", "message"}`. `type` comes from the caller's
 * closed list. Any other error becomes a 500 without details.
 */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly status: number
  readonly type: string
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the reply. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(options: {
    status: number
    type: string
    message: string
    headers?: Readonly<Record<string, string>>
    details?: Readonly<Record<string, unknown>>
    cause?: unknown
  }) {
    super(options.message, { cause: options.cause })
    this.status = options.status
    this.type = options.type
    this.headers = options.headers ?? {}
    this.details = options.details ?? {}
  }
}

/** One sentence per mistake, each beginning with the name of the field, such as `title: Too long`. */
export function describeValidation(error: FastifyError): string {
  const where = error.validationContext ?? 'body'
  const mistakes = (error.validation ?? []).map(({ instancePath, message }) => {
    const field = instancePath.replace(/^\//u, '').replaceAll('/', '.')
    return `${field === '' ? where : field}: ${message ?? 'is not valid'}`
  })
  return mistakes.join('; ')
}

/** A 400 for a part of the request that no schema covers. Its message names the part, as schema errors do. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest'
  readonly validationContext = 'headers'
  readonly statusCode = 400
  readonly validation: readonly { instancePath: string; message: string }[]

  constructor(part: string, message: string) {
    super(`${part}: ${message}`)
    this.validation = [{ instancePath: `/${part}`, message }]
  }
}

/** All errors of the product API, with HTTP status and default message: `docs/product/errors.md`. */
export const PROBLEMS = {
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
  FORBIDDEN: { status: 403, message: 'Unauthorized access' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  CONFLICT: { status: 409, message: 'This has changed in the meantime' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type must be application/json' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  SERVER_ERROR: { status: 500, message: 'Server error: 500' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is unavailable. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>

/** Why a reveal is refused, if no card is in the box. The web app shows it alone, without advice. */
export const BOX_IS_EMPTY = 'No cards to reveal from the box'

export type ProblemKey = keyof typeof PROBLEMS

/** The `type` of a reply. 401 and 403 share one. */
export type ProblemType = Exclude<ProblemKey, 'FORBIDDEN'>

export function problemType(key: ProblemKey): ProblemType {
  return key === 'FORBIDDEN' ? 'UNAUTHORIZED' : key
}

/** Thrown to answer with an error. Users see the message. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly key: ProblemKey
  /** Further fields of the reply, beside type and message. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(
    key: ProblemKey,
    message: string = PROBLEMS[key].message,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message)
    this.key = key
    this.details = details
  }
}

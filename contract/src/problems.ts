/**
 * The closed list of error types the product API answers with, their HTTP status and default message
 * (spec section 8, "Product API mapping"). A reply is `{"type", "message"}`.
 */
export const PROBLEMS = {
  BAD_REQUEST: { status: 400, message: 'Bad request' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized access' },
  FORBIDDEN: { status: 403, message: 'Unauthorized access' },
  NOT_FOUND: { status: 404, message: 'Resource not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The request is too large' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The content type must be application/json' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Please wait a moment and try again.' },
  SERVER_ERROR: { status: 500, message: 'Server error: 500' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is unavailable. Please try again in a moment.' },
} as const satisfies Record<string, { status: number; message: string }>

export type ProblemKey = keyof typeof PROBLEMS

/** What stands in `type`: 401 and 403 are both UNAUTHORIZED (spec section 8). */
export type ProblemType = Exclude<ProblemKey, 'FORBIDDEN'>

export function problemType(key: ProblemKey): ProblemType {
  return key === 'FORBIDDEN' ? 'UNAUTHORIZED' : key
}

/** What a service throws to refuse; the server makes the reply of it. The message is shown to people. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly key: ProblemKey

  constructor(key: ProblemKey, message: string = PROBLEMS[key].message) {
    super(message)
    this.key = key
  }
}

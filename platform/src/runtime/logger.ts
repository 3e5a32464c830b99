import pino, { type DestinationStream, type Logger } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/**
 * Structured logs, on standard output unless a destination is given. Never pass bodies, tokens or codes to it: what
 * matches `secret` is removed, wherever an error quotes it.
 */
export function createLogger(
  level: (typeof LOG_LEVELS)[number],
  { secret, destination }: { secret?: RegExp; destination?: DestinationStream } = {},
): Logger {
  const options = {
    level,
    redact: ['req.headers.authorization', 'req.headers.cookie'],
    serializers: { err: describeError },
    ...(secret && { hooks: { streamWrite: (line: string) => line.replaceAll(secret, '[Redacted]') } }),
  }
  return destination === undefined ? pino(options) : pino(options, destination)
}

type Described = { type: string; message: string; stack: string; code?: string; cause?: Described }

/** The fields of an error that may be logged. Other fields of a database error contain values of the row. */
function describeError(error: unknown): Described | undefined {
  if (!(error instanceof Error)) return undefined
  const cause = describeError(error.cause)
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...('code' in error && typeof error.code === 'string' && { code: error.code }),
    ...(cause && { cause }),
  }
}

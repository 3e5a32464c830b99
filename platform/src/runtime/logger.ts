import pino, { type DestinationStream, type Logger } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Structured logs, on standard output unless a destination is given. Bodies, tokens and codes are never handed to it. */
export function createLogger(level: (typeof LOG_LEVELS)[number], destination?: DestinationStream): Logger {
  const options = { level, redact: ['req.headers.authorization', 'req.headers.cookie'] }
  return destination === undefined ? pino(options) : pino(options, destination)
}

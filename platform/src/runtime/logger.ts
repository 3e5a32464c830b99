import pino, { type Logger } from 'pino'

export type { Logger }

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Structured logs on standard output. Bodies, tokens and codes are never handed to it. */
export function createLogger(level: (typeof LOG_LEVELS)[number]): Logger {
  return pino({ level, redact: ['req.headers.authorization', 'req.headers.cookie'] })
}

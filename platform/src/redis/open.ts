import type { Redis, RedisOptions } from 'ioredis'

import type { Logger } from '../runtime/logger.ts'

/**
 * One connection for commands and one for subscriptions, because a subscribed connection cannot send commands. The listener does
 * not subscribe again by itself.
 */
export type RedisConnections = {
  readonly commands: Redis
  readonly listener: Redis
  close: () => Promise<void>
}

const LONGEST_RETRY_MS = 2_000
const PING_MS = 5_000
/** A process that starts on a busy machine may read a reply too late. */
const START_ATTEMPTS = 3

const OPTIONS = {
  lazyConnect: true,
  connectTimeout: 3_000,
  // Commands fail at once without a connection, because every user of Redis has a fallback.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: 1_000,
  // Replaces a connection with an overdue reply.
  socketTimeout: 3_000,
  retryStrategy: (attempt: number) => Math.min(attempt * 100, LONGEST_RETRY_MS),
  // After a failover the old primary rejects writes; the next connection reaches the new one.
  reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
} satisfies RedisOptions

/** ioredis drops the promise of its own subscription: a late reply would end the process. */
const LISTENER_OPTIONS = { ...OPTIONS, autoResubscribe: false } satisfies RedisOptions

/**
 * Connects to Redis or Valkey. Later, a lost connection is retried forever. Each loss and each recovery is logged once.
 * @throws if Redis does not answer now, with the reason as its cause.
 */
export async function openRedis(url: string, logger: Pick<Logger, 'error' | 'warn'>): Promise<RedisConnections> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openOnce(url, logger)
    } catch (error) {
      if (attempt === START_ATTEMPTS || !isTooLate(error)) throw error
    }
  }
}

async function openOnce(url: string, logger: Pick<Logger, 'error' | 'warn'>): Promise<RedisConnections> {
  // Loaded only if it is used, so that the server otherwise starts faster and uses less memory.
  const { Redis: Connection } = await import('ioredis')
  const [commands, listener] = [new Connection(url, OPTIONS), new Connection(url, LISTENER_OPTIONS)]
  const pings = setInterval(() => {
    // A dead connection is noticed only by a command.
    listener.ping().catch(() => undefined)
  }, PING_MS).unref()
  const close = async (): Promise<void> => {
    clearInterval(pings)
    for (const connection of [commands, listener]) connection.disconnect()
    await Promise.resolve()
  }
  try {
    await Promise.all([commands, listener].map(connect))
  } catch (error) {
    await close()
    throw error
  }
  report(commands, logger)
  return { commands, listener, close }
}

async function connect(connection: Redis): Promise<void> {
  let reason: Error | undefined
  connection.on('error', (error: Error) => {
    reason = error
  })
  try {
    await connection.connect()
    await connection.ping()
    // ioredis does not report that the database in the URL does not exist, so select it again.
    await connection.select(connection.options.db ?? 0)
  } catch (error) {
    throw new RedisUnreachable('Redis does not answer', { cause: reason ?? error })
  }
}

export class RedisUnreachable extends Error {
  override readonly name = 'RedisUnreachable'
}

function isTooLate(error: unknown): boolean {
  const cause = error instanceof RedisUnreachable ? error.cause : undefined
  return cause instanceof Error && cause.message === 'Command timed out'
}

function report(connection: Redis, logger: Pick<Logger, 'error' | 'warn'>): void {
  let isLost = false
  connection.on('close', () => {
    if (isLost || connection.status === 'end') return
    isLost = true
    logger.error('Redis is gone: limits count in this process alone, live events stay in it, until it is back')
  })
  connection.on('ready', () => {
    if (isLost) logger.warn('Redis is back')
    isLost = false
  })
}

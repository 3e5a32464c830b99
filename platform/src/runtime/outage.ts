import { chainOf } from './reason-of.ts'

/** A system that this process depends on is not working now, and may work again soon. */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly of: OutagePlace

  constructor(message: string, { of, cause }: { of: OutagePlace; cause?: unknown }) {
    super(message, { cause })
    this.of = of
  }
}

/** Where an outage is. A `service` is external, such as a movie catalogue. */
export type OutagePlace = 'database' | 'disk' | 'images' | 'service'

const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ENOSPC',
  'EDQUOT',
])
/**
 * PostgreSQL: connection lost (08), no room, memory or connection left (53), ended by an operator or starting (57P),
 * statement took too long (57014), a primary that became a standby (25006), conflict after all retries (40001, 40P01),
 * its own disk or system failed (58).
 */
const POSTGRES = /^(?:08...|53...|57P..|57014|25006|40001|40P01|58...)$/u
/** Messages of `pg` without a code: no connection in time, or connection lost during a statement. */
const POSTGRES_LOST =
  /^(?:Connection terminated|timeout e(?:xceeded when trying to connect|xpired)|Query read timeout|Client (?:has encountered a connection error|was closed))/u
/** PostgreSQL: damaged data, damaged index. */
const POSTGRES_DAMAGED = new Set<unknown>(['XX001', 'XX002'])
/** SQLite: malformed, and not a database at all. */
const SQLITE_DAMAGED = new Set([11, 26])
/** SQLite: busy, I/O error, disk full, cannot open: the lowest byte of the extended code. */
const SQLITE = new Set([5, 10, 13, 14])
const SQLITE_BUSY = 5
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** The outage of the database, a store or the disk that caused a failure; undefined if it was not an outage. */
export function outageIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof Outage || POSTGRES_LOST.test(error.message) || hasCode(error)) return error
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return outageIn(cause)
}

/** Whether the error or one of its causes says that the data of the database is damaged. */
export function isDamage(error: unknown): boolean {
  return chainOf(error).some(hasCodeOfDamage)
}

/** The place of an outage that `outageIn` found. Only database connections fail with a bare system code. */
export function placeOfOutage(outage: Error): OutagePlace {
  if (outage instanceof Outage) return outage.of
  if (hasCodeOfDamage(outage)) return 'database'
  if ('errcode' in outage && typeof outage.errcode === 'number') {
    return (outage.errcode & 0xff) === SQLITE_BUSY ? 'database' : 'disk'
  }
  return 'code' in outage && NO_ROOM.has(outage.code) ? 'disk' : 'database'
}

function hasCode(error: Error): boolean {
  if (hasCodeOfDamage(error)) return true
  if ('errcode' in error && typeof error.errcode === 'number') return SQLITE.has(error.errcode & 0xff)
  if (!('code' in error) || typeof error.code !== 'string') return false
  return SYSTEM.has(error.code) || POSTGRES.test(error.code)
}

function hasCodeOfDamage(error: Error): boolean {
  if ('errcode' in error && typeof error.errcode === 'number') return SQLITE_DAMAGED.has(error.errcode & 0xff)
  return 'code' in error && POSTGRES_DAMAGED.has(error.code)
}

/** Remembers whether a statement found the database damaged, and reports it the first time. */
export function watchForDamage(report: (error: unknown) => void = () => undefined): {
  lookAt: (error: unknown) => void
  isFound: () => boolean
} {
  let isFound = false
  return {
    lookAt: (error) => {
      if (isFound || !isDamage(error)) return
      isFound = true
      report(error)
    },
    isFound: () => isFound,
  }
}

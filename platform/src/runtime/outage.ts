/** Something this process needs, which is not part of it, does not do its work just now; it may again in a moment. */
export class Outage extends Error {
  override readonly name = 'Outage'
  readonly of: OutagePlace

  constructor(message: string, { of, cause }: { of: OutagePlace; cause?: unknown }) {
    super(message, { cause })
    this.of = of
  }
}

/** Where an outage is. */
export type OutagePlace = 'database' | 'disk' | 'images'

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
 * statement took too long (57014), a primary that became a standby (25006), conflict after all retries (40001, 40P01).
 */
const POSTGRES = /^(?:08...|53...|57P..|57014|25006|40001|40P01)$/u
/** What `pg` says without a code: no connection in time, or lost in the middle of a statement. */
const POSTGRES_LOST =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/u
/** SQLite: busy, I/O error, disk full, cannot open: the lowest byte of the extended code. */
const SQLITE = new Set([5, 10, 13, 14])
const SQLITE_BUSY = 5
const NO_ROOM: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT'])

/** The outage of the database, a store, or the disk that a failure comes from; undefined where it is none. */
export function outageIn(error: unknown): Error | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof Outage || POSTGRES_LOST.test(error.message) || hasCodeOfOutage(error)) return error
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return outageIn(cause)
}

/** Where the outage is that `outageIn` found. Only the database's own connections fail with a bare code of the system. */
export function placeOfOutage(outage: Error): OutagePlace {
  if (outage instanceof Outage) return outage.of
  if ('errcode' in outage && typeof outage.errcode === 'number') {
    return (outage.errcode & 0xff) === SQLITE_BUSY ? 'database' : 'disk'
  }
  return 'code' in outage && NO_ROOM.has(outage.code) ? 'disk' : 'database'
}

function hasCodeOfOutage(error: Error): boolean {
  if ('errcode' in error && typeof error.errcode === 'number') return SQLITE.has(error.errcode & 0xff)
  if (!('code' in error) || typeof error.code !== 'string') return false
  return SYSTEM.has(error.code) || POSTGRES.test(error.code)
}

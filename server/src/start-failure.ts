import { MigrationFailed } from '@marquee/platform/database/migrate'
import { RedisUnreachable } from '@marquee/platform/redis/open'
import { chainOf, codeOf, reasonOf } from '@marquee/platform/runtime/reason-of'
import { withoutPassword } from '@marquee/platform/runtime/without-password'
import { BucketUnusable } from '@marquee/platform/storage/blob-store'

type Where = {
  METRICS_PORT?: number | undefined
  METRICS_HOST: string
  PORT: number
  HOST: string
  DATA_DIR: string
  DATABASE_URL?: string | undefined
  REDIS_URL?: string | undefined
  S3_BUCKET?: string | undefined
  S3_ENDPOINT?: string | undefined
}

/** The sentence to print if the server cannot start; undefined for a failure without a simple reason. */
export function explainStartFailure(error: unknown, where: Where): string | undefined {
  if (error instanceof RedisUnreachable) {
    return `Redis at ${withoutPassword(where.REDIS_URL ?? '')} cannot be used: ${redisReason(error, where)}.`
  }
  if (error instanceof BucketUnusable) {
    return `The S3 bucket ${where.S3_BUCKET} at ${where.S3_ENDPOINT ?? 'Amazon'} cannot be used: ${error.message}.`
  }
  const code = codeOf(error)
  const { port, host, names } = listenerOf(error, where)
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is taken: stop what listens there, or choose another ${names.port}.`
  if (code === 'EADDRNOTAVAIL' || isCallTo('getaddrinfo', host, error)) {
    return `This machine has no address ${host}: choose another ${names.host}.`
  }
  if (code === 'EACCES' && isCallTo('listen', undefined, error)) {
    return `Port ${port} may not be listened on: choose another ${names.port}.`
  }
  if (code !== undefined && UNWRITABLE.has(code)) {
    return `${where.DATA_DIR} cannot be written to (${code}): choose another DATA_DIR.`
  }
  if (chainOf(error).some(isDiskFailure)) {
    return `${where.DATA_DIR} cannot be written to (${reasonOf(error)}): make room there, or choose another DATA_DIR.`
  }
  if (where.DATABASE_URL !== undefined && isDatabaseFailure(error)) {
    return `The database at ${withoutPassword(where.DATABASE_URL)} cannot be used: ${reasonOf(error)}.`
  }
  if (error instanceof MigrationFailed) return error.message
  return undefined
}

function redisReason(error: unknown, { REDIS_URL = '' }: Where): string {
  const reason = reasonOf(error)
  if (reason.startsWith('NOAUTH')) return 'it wants a password'
  return codeOf(error) === 'ETIMEDOUT' && REDIS_URL.startsWith('rediss:')
    ? `${reason} (does it speak TLS on that port, as rediss:// says?)`
    : reason
}

/** Which of the two listen addresses failed, and the names of its settings. */
function listenerOf(
  error: unknown,
  where: Where,
): { port: number; host: string; names: { port: string; host: string } } {
  const asked = chainOf(error).find((cause) => 'port' in cause || 'hostname' in cause)
  const isMetrics =
    asked !== undefined &&
    (('port' in asked && asked.port === where.METRICS_PORT) ||
      ('hostname' in asked && asked.hostname === where.METRICS_HOST && where.METRICS_HOST !== where.HOST))
  return isMetrics && where.METRICS_PORT !== undefined
    ? { port: where.METRICS_PORT, host: where.METRICS_HOST, names: { port: 'METRICS_PORT', host: 'METRICS_HOST' } }
    : { port: where.PORT, host: where.HOST, names: { port: 'PORT', host: 'HOST' } }
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'ENOSPC', 'EDQUOT'])
/** SQLite: read-only, I/O error, full, cannot open: the lowest byte of the extended code. */
const SQLITE_DISK = new Set([8, 10, 13, 14])
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH'])
/** PostgreSQL: wrong user or password, no such database, not allowed, too many connections, starting up. */
const REFUSED = /^(?:28|3D|42501|53|57P)/u

function isDiskFailure(error: Error): boolean {
  return 'errcode' in error && typeof error.errcode === 'number' && SQLITE_DISK.has(error.errcode & 0xff)
}

function isDatabaseFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (UNREACHABLE.has(code) || REFUSED.test(code))) return true
  return chainOf(error).some((cause) => /timeout/iu.test(cause.message))
}

function isCallTo(syscall: string, hostname: string | undefined, error: unknown): boolean {
  return chainOf(error).some(
    (cause) =>
      'syscall' in cause &&
      cause.syscall === syscall &&
      (hostname === undefined || ('hostname' in cause && cause.hostname === hostname)),
  )
}

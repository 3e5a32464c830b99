import { RedisUnreachable } from '@marquee/platform/redis/open'
import { BucketUnusable } from '@marquee/platform/storage/bucket-unusable'

type Where = {
  METRICS_PORT?: number | undefined
  PORT: number
  HOST: string
  DATA_DIR: string
  DATABASE_URL?: string | undefined
  REDIS_URL?: string | undefined
  S3_BUCKET?: string | undefined
  S3_ENDPOINT?: string | undefined
}

/** The sentence to print when the server cannot start; undefined for a failure that has no simple reason. */
export function explainStartFailure(error: unknown, where: Where): string | undefined {
  if (error instanceof RedisUnreachable) {
    return `Redis at ${withoutPassword(where.REDIS_URL ?? '')} cannot be used: ${reasonOf(error)}.`
  }
  if (error instanceof BucketUnusable) {
    return `The S3 bucket ${where.S3_BUCKET} at ${where.S3_ENDPOINT ?? 'Amazon'} cannot be used: ${reasonOf(error)}.`
  }
  const code = codeOf(error)
  const taken = chain(error).find((cause) => 'port' in cause)
  if (code === 'EADDRINUSE' && taken && 'port' in taken && taken.port === where.METRICS_PORT) {
    return `Port ${where.METRICS_PORT} is taken: stop what listens there, or choose another METRICS_PORT.`
  }
  if (code === 'EADDRINUSE') {
    return `Port ${where.PORT} on ${where.HOST} is taken: stop what listens there, or choose another PORT.`
  }
  if (code === 'EADDRNOTAVAIL' || isCallTo('getaddrinfo', where.HOST, error)) {
    return `This machine has no address ${where.HOST}: choose another HOST.`
  }
  if (code === 'EACCES' && isCallTo('listen', undefined, error)) {
    return `Port ${where.PORT} may not be listened on: choose another PORT.`
  }
  if (code !== undefined && UNWRITABLE.has(code)) {
    return `${where.DATA_DIR} cannot be written to: choose another DATA_DIR.`
  }
  if (where.DATABASE_URL !== undefined && isDatabaseFailure(error)) {
    return `The database at ${withoutPassword(where.DATABASE_URL)} cannot be used: ${reasonOf(error)}.`
  }
  return undefined
}

const UNWRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'])
const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH'])
/** PostgreSQL's own: wrong user or password, no such database, not allowed, too many connections, starting up. */
const REFUSED = /^(?:28|3D|42501|53|57P)/u

function isDatabaseFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (UNREACHABLE.has(code) || REFUSED.test(code))) return true
  return chain(error).some((cause) => /timeout/iu.test(cause.message))
}

function isCallTo(syscall: string, hostname: string | undefined, error: unknown): boolean {
  return chain(error).some(
    (cause) =>
      'syscall' in cause &&
      cause.syscall === syscall &&
      (hostname === undefined || ('hostname' in cause && cause.hostname === hostname)),
  )
}

function codeOf(error: unknown): string | undefined {
  for (const cause of chain(error)) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return undefined
}

function reasonOf(error: unknown): string {
  const innermost = chain(error).at(-1)
  return innermost === undefined || innermost.message === '' ? (codeOf(error) ?? 'unknown') : innermost.message
}

/** The error and what it was caused by; of several at once the first. */
function chain(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error, ...chain(cause)]
}

function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

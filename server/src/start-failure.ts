/** The sentence to print when the server cannot start; undefined for a failure that has no simple reason. */
export function explainStartFailure(
  error: unknown,
  settings: { PORT: number; HOST: string; DATA_DIR: string; DATABASE_URL?: string | undefined },
): string | undefined {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return `Port ${settings.PORT} on ${settings.HOST} is taken: stop what listens there, or choose another PORT.`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${settings.HOST}: choose another HOST.`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Not allowed to listen on port ${settings.PORT} or to write in ${settings.DATA_DIR}: choose another PORT or DATA_DIR.`
    default:
      return isDatabaseFailure(error) && settings.DATABASE_URL !== undefined
        ? `The database at ${withoutPassword(settings.DATABASE_URL)} cannot be used: ${reasonOf(error)}.`
        : undefined
  }
}

const UNREACHABLE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH'])
/** Of PostgreSQL: wrong user or password, no such database, not allowed, too many connections, starting up. */
const REFUSED = /^(?:28|3D|42501|53|57P)/u

function isDatabaseFailure(error: unknown): boolean {
  const code = codeOf(error)
  if (code !== undefined && (UNREACHABLE.has(code) || REFUSED.test(code))) return true
  return chain(error).some((cause) => /timeout/iu.test(cause.message))
}

function codeOf(error: unknown): string | undefined {
  for (const cause of chain(error)) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return undefined
}

function reasonOf(error: unknown): string {
  const innermost = chain(error).at(-1)
  return innermost?.message === '' ? (codeOf(error) ?? 'unknown') : (innermost?.message ?? 'unknown')
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

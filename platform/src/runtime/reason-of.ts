/** What OpenSSL says of an answer that is not TLS. */
const NOT_TLS = /wrong version number|packet length too long/iu

/** Why something failed, in one line without a full stop: what the innermost cause says, else its code. */
export function reasonOf(error: unknown): string {
  const innermost = chainOf(error).at(-1)
  if (innermost === undefined) return String(error)
  const [line = ''] = innermost.message.split('\n')
  const said = line.trim().replace(/\.+$/u, '')
  if (NOT_TLS.test(said)) return 'it does not speak TLS on that port'
  return said === '' ? (codeOf(error) ?? 'unknown') : said
}

/** The code that the error or one of its causes carries. */
export function codeOf(error: unknown): string | undefined {
  for (const cause of chainOf(error)) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return undefined
}

/** The error and what it was caused by; of several at once the first. */
export function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error, ...chainOf(cause)]
}

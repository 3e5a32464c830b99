/** What OpenSSL reports for a reply that is not TLS. */
const NOT_TLS = /wrong version number|packet length too long/iu

/** Why something failed, in one line without a full stop: the message of the innermost cause, else its code. */
export function reasonOf(error: unknown): string {
  const innermost = chainOf(error).at(-1)
  if (innermost === undefined) return String(error)
  const [line = ''] = innermost.message.split('\n')
  const said = line.trim().replace(/\.+$/u, '')
  if (NOT_TLS.test(said)) return 'it does not speak TLS on that port'
  return said === '' ? (codeOf(error) ?? 'unknown') : said
}

/** The code of the error or of one of its causes. */
export function codeOf(error: unknown): string | undefined {
  for (const cause of chainOf(error)) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code
  }
  return undefined
}

/** The error and its causes; of an AggregateError, the first error. */
export function chainOf(error: unknown): Error[] {
  if (!(error instanceof Error)) return []
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return [error, ...chainOf(cause)]
}

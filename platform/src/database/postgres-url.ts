const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]+)(?<rest>.*)$/su
/** The value of libpq's `target_session_attrs` for connections that must accept writes. */
const FOR_WRITING: ReadonlySet<string> = new Set(['read-write', 'primary'])

/**
 * The URLs of a PostgreSQL database on one host or, separated by commas, on several; one URL per host. Undefined if the
 * text is not such a URL. `mustSearch`: the host that accepts writes must still be found.
 */
export function readPostgresUrl(text: string): { urls: readonly string[]; mustSearch: boolean } | undefined {
  const { scheme, authority, rest } = PARTS.exec(text)?.groups ?? {}
  if (scheme === undefined || authority === undefined || rest === undefined) return undefined
  const loginEnd = authority.lastIndexOf('@') + 1
  const hosts = authority.slice(loginEnd).split(',')
  const urls = hosts.map((host) => `${scheme}${authority.slice(0, loginEnd)}${host}${rest}`)
  if (hosts.includes('') || !urls.every((url) => URL.canParse(url))) return undefined
  const attributes = new URLSearchParams(/\?[^#]*/u.exec(rest)?.[0]).get('target_session_attrs')
  if (attributes !== null && !FOR_WRITING.has(attributes)) return undefined
  return { urls, mustSearch: urls.length > 1 || attributes !== null }
}

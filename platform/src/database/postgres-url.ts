const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]+)(?<rest>.*)$/su
/** What libpq calls it that a connection must take writes. */
const FOR_WRITING: ReadonlySet<string> = new Set(['read-write', 'primary'])

/**
 * The URLs of a PostgreSQL database on one host or, separated by commas, several, one for each; undefined where the text
 * is none. `mustSearch` says that the host which takes writes is still to be found.
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

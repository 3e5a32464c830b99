/** A URL that may be printed and logged: without password, and without parameters, which may contain one too. */
export function withoutPassword(url: string): string {
  // The URL of a database with several hosts.
  if (!URL.canParse(url)) return url.replace(/^([^:]+:\/\/[^:@/]*)(?::[^/?#]*)?@/u, '$1@').replace(/\?.*$/su, '')
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

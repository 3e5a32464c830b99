/** An address as it may be printed and logged: without password and without parameters, which may hold one too. */
export function withoutPassword(url: string): string {
  // That of a database on several hosts.
  if (!URL.canParse(url)) return url.replace(/^([^:]+:\/\/[^:@/]*)(?::[^@/]*)?@/u, '$1@').replace(/\?.*$/su, '')
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

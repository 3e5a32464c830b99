/** An address as it may be printed and logged: without password and without parameters, which may hold one too. */
export function withoutPassword(url: string): string {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

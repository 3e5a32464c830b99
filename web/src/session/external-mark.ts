const KEY = 'marquee.external'

/** Remembers in this browser that its session began at the external provider, so that signing out ends there, too. */
export function markExternal(): void {
  localStorage.setItem(KEY, 'yes')
}

/** Whether it did; forgets it. */
export function takeExternalMark(): boolean {
  const isMarked = localStorage.getItem(KEY) !== null
  localStorage.removeItem(KEY)
  return isMarked
}

/** The time zone of the browser. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}

/** All time zones, with these among them. */
export function timeZones(...own: readonly string[]): string[] {
  return [...new Set([...own, ...Intl.supportedValuesOf('timeZone'), 'UTC'])].toSorted()
}

/** Whether this is the name of a time zone. Offsets such as +02:00 have no daylight saving. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/u.test(text)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

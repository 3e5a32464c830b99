import { locale } from './language.ts'

/** Created when first needed, because each takes milliseconds. */
let day: Intl.DateTimeFormat | undefined
let moment: Intl.DateTimeFormat | undefined
let time: Intl.DateTimeFormat | undefined
let relative: Intl.RelativeTimeFormat | undefined
let nearDay: Intl.RelativeTimeFormat | undefined

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** For longer than this, people name the day. */
const RELATIVE_MS = 7 * DAY

const UNITS = [
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const

const SHORT_MONTH = { month: 'short', year: 'numeric' } as const

/** An ISO time as a day in the visitor's time zone: "Mar 3, 2026". */
export function dayText(iso: string): string {
  day ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  return day.format(new Date(iso))
}

/** An ISO time as a day and a time of day in the visitor's time zone: "Mar 3, 2026, 8:14 PM". */
export function momentText(iso: string): string {
  moment ??= new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return moment.format(new Date(iso))
}

/** A time of day in the visitor's time zone: "8:14 PM". */
export function timeText(at: Date): string {
  time ??= new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  return time.format(at)
}

/** A month such as `2026-03`: "March 2026" or "Mar 2026". */
export function monthText(month: string, style: 'long' | 'short'): string {
  const options = style === 'long' ? ({ month: 'long', year: 'numeric' } as const) : SHORT_MONTH
  return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(new Date(`${month}-01`))
}

/** How long ago an ISO time is: "2 hours ago", and after a week the day. Undefined for less than a minute and for the future. */
export function agoText(iso: string, now: Date): string | undefined {
  const age = now.getTime() - Date.parse(iso)
  if (age > RELATIVE_MS) return dayText(iso)
  const [unit, length] = UNITS.find(([, ms]) => age >= ms) ?? []
  if (unit === undefined) return undefined
  relative ??= new Intl.RelativeTimeFormat(locale)
  return relative.format(-Math.floor(age / length), unit)
}

/** The day of an ISO time, as people say it: "Today", "Yesterday", then "Mar 3, 2026". */
export function dayName(iso: string, now: Date): string {
  const startOfDay = (date: Date) => new Date(date).setHours(0, 0, 0, 0)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(new Date(iso))) / DAY)
  if (daysAgo !== 0 && daysAgo !== 1) return dayText(iso)
  nearDay ??= new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const name = nearDay.format(-daysAgo, 'day')
  return `${name.charAt(0).toLocaleUpperCase(locale)}${name.slice(1)}`
}

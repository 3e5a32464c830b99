import { Temporal } from 'temporal-polyfill'

import { EARLIEST_TIME } from '@marquee/contract/limits'
import { Problem } from '@marquee/contract/problems'
import { isTimeZone } from '@marquee/platform/runtime/time-zone'

/** From one time until just before another, as ISO times. */
export type Span = { readonly start: string; readonly end: string }

/** Before and after all times. */
const ALWAYS: Span = { start: '0000', end: '9999' }

/** The name of what has no month. */
const REST = ''

export type PeriodQuery = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly timeZone: string
}

/**
 * The days of a period, both included.
 * @throws {Problem} BAD_REQUEST for an unknown time zone, or if the first day is after the last.
 */
export function readPeriod({ from, to, timeZone }: PeriodQuery): Span {
  if (!isTimeZone(timeZone)) throw new Problem('BAD_REQUEST', 'timeZone: This is not a time zone')
  if (from !== undefined && to !== undefined && from > to) {
    throw new Problem('BAD_REQUEST', 'from: The first day is after the last')
  }
  const startOf = (day: string, days: number) =>
    isoOf(Temporal.PlainDate.from(day).add({ days }).toZonedDateTime(timeZone))
  return {
    start: from === undefined ? ALWAYS.start : startOf(from, 0),
    end: to === undefined ? ALWAYS.end : startOf(to, 1),
  }
}

export type NamedSpan = Span & { readonly name: string }

/** The months from one time to another, with the part of each that is in the period, and what is left of the period. */
export type Months = { months: NamedSpan[]; rest: NamedSpan[] }

/**
 * Divides the part of a period from the time `first` to `last`. Files once brought times of any year into the database: there
 * are no months before `EARLIEST_TIME` and after `latest`, so that they stay few.
 */
export function monthsBetween(
  first: string,
  last: string,
  { period, timeZone, latest }: { period: Span; timeZone: string; latest: string },
): Months {
  const [start, end] = [first > EARLIEST_TIME ? first : EARLIEST_TIME, last < latest ? last : latest]
  if (start > end) return { months: [], rest: [{ name: REST, ...period }] }
  const months: NamedSpan[] = []
  const final = monthOf(end, timeZone)
  for (let month = monthOf(start, timeZone); Temporal.PlainYearMonth.compare(month, final) <= 0;) {
    const next = month.add({ months: 1 })
    months.push({
      name: month.toString(),
      ...within(period, { start: startOfMonth(month, timeZone), end: startOfMonth(next, timeZone) }),
    })
    month = next
  }
  const [firstStart, lastEnd] = [months.at(0)?.start ?? start, months.at(-1)?.end ?? end]
  const rest: NamedSpan[] = []
  if (first < firstStart) rest.push({ name: REST, start: period.start, end: firstStart })
  if (last >= lastEnd) rest.push({ name: REST, start: lastEnd, end: period.end })
  return { months, rest }
}

function within(period: Span, { start, end }: Span): Span {
  return { start: start > period.start ? start : period.start, end: end < period.end ? end : period.end }
}

function monthOf(time: string, timeZone: string): Temporal.PlainYearMonth {
  return Temporal.Instant.from(time).toZonedDateTimeISO(timeZone).toPlainDate().toPlainYearMonth()
}

function startOfMonth(month: Temporal.PlainYearMonth, timeZone: string): string {
  return isoOf(month.toPlainDate({ day: 1 }).toZonedDateTime(timeZone))
}

function isoOf(time: Temporal.ZonedDateTime): string {
  return time.toInstant().toString({ smallestUnit: 'millisecond' })
}

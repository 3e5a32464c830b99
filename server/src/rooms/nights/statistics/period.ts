import { Temporal } from 'temporal-polyfill'

import { Problem } from '@marquee/contract/problems'
import { isTimeZone } from '@marquee/platform/runtime/time-zone'

/** From one time until just before another, as ISO times. */
export type Span = { readonly start: string; readonly end: string }

/** Before and after all times. */
const ALWAYS: Span = { start: '0000', end: '9999' }

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

/** The months from one time to another, with the part of each that is in the period. */
export function monthsBetween(
  first: string,
  last: string,
  { period, timeZone }: { period: Span; timeZone: string },
): (Span & { name: string })[] {
  const months: (Span & { name: string })[] = []
  const final = monthOf(last, timeZone)
  for (let month = monthOf(first, timeZone); Temporal.PlainYearMonth.compare(month, final) <= 0;) {
    const next = month.add({ months: 1 })
    const [start, end] = [startOfMonth(month, timeZone), startOfMonth(next, timeZone)]
    months.push({
      name: month.toString(),
      start: start > period.start ? start : period.start,
      end: end < period.end ? end : period.end,
    })
    month = next
  }
  return months
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

import { DateTime, IANAZone } from 'luxon'

import { Problem } from '@marquee/contract/problems'

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
  // Offsets such as +02:00 are valid for the library, but have no daylight saving.
  if (!/^[A-Za-z]/u.test(timeZone) || !IANAZone.isValidZone(timeZone)) {
    throw new Problem('BAD_REQUEST', 'timeZone: This is not a time zone')
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw new Problem('BAD_REQUEST', 'from: The first day is after the last')
  }
  const startOf = (day: string, days: number) => isoOf(DateTime.fromISO(day, { zone: timeZone }).plus({ days }))
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
  const final = DateTime.fromISO(last, { zone: timeZone })
  let month = DateTime.fromISO(first, { zone: timeZone }).startOf('month')
  while (month <= final) {
    const next = month.plus({ months: 1 })
    months.push({
      name: month.toFormat('yyyy-MM'),
      start: isoOf(month) > period.start ? isoOf(month) : period.start,
      end: isoOf(next) < period.end ? isoOf(next) : period.end,
    })
    month = next
  }
  return months
}

function isoOf(time: DateTime): string {
  return time.toJSDate().toISOString()
}

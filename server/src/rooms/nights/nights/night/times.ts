import { Temporal } from 'temporal-polyfill'

import { Problem } from '@marquee/contract/problems'
import { isTimeZone } from '@marquee/platform/runtime/time-zone'

const MOST_YEARS = 100

/**
 * The proposed times, soonest first, from the clock of a time zone. A time that the clock skips in spring is an hour
 * later; one that it shows twice in autumn is the first. `known` times may be in the past.
 * @throws {Problem} BAD_REQUEST for an unknown time zone, a time that does not exist, is in the past, or is given twice.
 */
export function readTimes(
  { times, timeZone }: { times: readonly string[]; timeZone: string },
  { now, known = [] }: { now: string; known?: readonly string[] },
): string[] {
  if (!isTimeZone(timeZone)) throw new Problem('BAD_REQUEST', 'timeZone: This is not a time zone')
  const instants = times.map((time) => {
    const instant = instantOf(time, timeZone)
    if (instant === undefined) throw new Problem('BAD_REQUEST', 'times: There is no such date or time')
    if (instant <= now && !known.includes(instant)) throw new Problem('BAD_REQUEST', 'times: This time is in the past')
    if (instant > yearsAfter(now, MOST_YEARS)) throw new Problem('BAD_REQUEST', 'times: This time is too far ahead')
    return instant
  })
  if (new Set(instants).size < instants.length) throw new Problem('BAD_REQUEST', 'times: Two of the times are the same')
  return instants.toSorted()
}

/** Undefined if there is no such day or time. */
function instantOf(time: string, timeZone: string): string | undefined {
  try {
    return isoOf(Temporal.PlainDateTime.from(time).toZonedDateTime(timeZone, { disambiguation: 'compatible' }))
  } catch {
    return undefined
  }
}

/** ISO times sort as text up to the year 9999, so a time beyond it would not even be found. */
function yearsAfter(now: string, years: number): string {
  return isoOf(zoned(now, 'UTC').add({ years }))
}

/** What the clock of a time zone shows at a time. */
export function localTimeOf(startsAt: string, timeZone: string | null): string {
  return zoned(startsAt, timeZone ?? 'UTC')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
}

function zoned(time: string, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(time).toZonedDateTimeISO(timeZone)
}

function isoOf(time: Temporal.ZonedDateTime): string {
  return time.toInstant().toString({ smallestUnit: 'millisecond' })
}

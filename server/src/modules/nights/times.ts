import { DateTime, IANAZone } from 'luxon'

import { Problem } from '@marquee/contract/problems'

const MOST_YEARS = 100
const LOCAL = "yyyy-MM-dd'T'HH:mm"

/**
 * The proposed times, soonest first, from the clock of a time zone. A time that the clock skips in spring is an hour
 * later; one that it shows twice in autumn is the first. `known` times may be in the past.
 * @throws {Problem} BAD_REQUEST for an unknown time zone, a time that does not exist, is in the past, or is given twice.
 */
export function readTimes(
  { times, timeZone }: { times: readonly string[]; timeZone: string },
  { now, known = [] }: { now: string; known?: readonly string[] },
): string[] {
  if (!/^[A-Za-z]/u.test(timeZone) || !IANAZone.isValidZone(timeZone)) {
    throw new Problem('BAD_REQUEST', 'timeZone: This is not a time zone')
  }
  const instants = times.map((time) => {
    const [first] = DateTime.fromISO(time, { zone: timeZone }).getPossibleOffsets()
    const instant = first?.toUTC().toISO() ?? null
    if (instant === null) throw new Problem('BAD_REQUEST', 'times: There is no such date or time')
    if (instant <= now && !known.includes(instant)) throw new Problem('BAD_REQUEST', 'times: This time is in the past')
    if (instant > yearsAfter(now, MOST_YEARS)) throw new Problem('BAD_REQUEST', 'times: This time is too far ahead')
    return instant
  })
  if (new Set(instants).size < instants.length) throw new Problem('BAD_REQUEST', 'times: Two of the times are the same')
  return instants.toSorted()
}

/** ISO times sort as text up to the year 9999, so a time beyond it would not even be found. */
function yearsAfter(now: string, years: number): string {
  return DateTime.fromISO(now, { zone: 'UTC' }).plus({ years }).toISO() ?? now
}

/** What the clock of a time zone shows at a time. */
export function localTimeOf(startsAt: string, timeZone: string | null): string {
  return DateTime.fromISO(startsAt, { zone: timeZone ?? 'UTC' }).toFormat(LOCAL)
}

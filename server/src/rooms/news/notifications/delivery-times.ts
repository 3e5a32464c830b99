import type { NotificationSettings } from '@marquee/contract/entities/notification-settings'
import { Temporal } from 'temporal-polyfill'

type Hours = Pick<NotificationSettings, 'quietHours' | 'timeZone'>

/** When the mail of a day is sent. */
const DAILY_AT = Temporal.PlainTime.from('08:00')

/** This time; during quiet hours their end. */
export function afterQuietHours({ quietHours, timeZone }: Hours, time: Date): Date {
  if (quietHours === null) return time
  const [from, until] = [Temporal.PlainTime.from(quietHours.from), Temporal.PlainTime.from(quietHours.until)]
  const local = localTime(time, timeZone)
  const clock = local.toPlainTime()
  const [isFrom, isUntil] = [isBefore(clock, from), isBefore(clock, until)]
  const isQuiet = isBefore(from, until) ? !isFrom && isUntil : !isFrom || isUntil
  if (!isQuiet) return time
  const endsOn = local.toPlainDate().add({ days: isUntil ? 0 : 1 })
  // In autumn, the clock shows the end twice. Until the second time it is quiet again.
  const end = endsOn.toPlainDateTime(until).toZonedDateTime(local.timeZoneId, { disambiguation: 'later' })
  // In spring, the clock may skip the end.
  const skippedAt = end.toPlainTime().equals(until) ? null : local.getTimeZoneTransition('next')
  return new Date((skippedAt ?? end).epochMilliseconds)
}

/** When the next daily mail is sent. */
export function nextDailyMail({ timeZone }: Pick<Hours, 'timeZone'>, time: Date): Date {
  const local = localTime(time, timeZone)
  const today = local.withPlainTime(DAILY_AT)
  const next = today.epochMilliseconds > time.getTime() ? today : local.add({ days: 1 }).withPlainTime(DAILY_AT)
  return new Date(next.epochMilliseconds)
}

function localTime(time: Date, timeZone: string | null): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timeZone ?? 'UTC')
}

function isBefore(time: Temporal.PlainTime, other: Temporal.PlainTime): boolean {
  return Temporal.PlainTime.compare(time, other) < 0
}

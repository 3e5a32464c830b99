import type { NightTime } from '@marquee/contract/entities/night'
import { locale } from '#web/i18n/language.ts'

type Moment = Pick<NightTime, 'startsAt' | 'localTime'>

function text(date: Date, timeZone: string | undefined): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(date)
}

/** The time on the clock of the night's time zone: "Fri, Nov 27, 8:00 PM". */
export function localMomentText({ localTime }: Moment): string {
  return text(new Date(`${localTime}Z`), 'UTC')
}

/** The time on the clock of the visitor; undefined if both clocks show the same. */
export function ownMomentText(moment: Moment): string | undefined {
  const own = text(new Date(moment.startsAt), undefined)
  return own === localMomentText(moment) ? undefined : own
}

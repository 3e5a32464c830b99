import '#web/i18n/media-server-texts.ts'
import { isApiError } from '#web/api/api-error.ts'
import { locale } from '#web/i18n/language.ts'
import { dayText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { MEDIA_SERVER_FAULTS, type MediaServerFaultKind } from '@marquee/contract/entities/media-server'

const DAY = 24 * 60 * 60_000
/** People name the day of the week for so many days. */
const WEEK = 7

/** Created when first needed, because each takes milliseconds. */
let time: Intl.DateTimeFormat | undefined
let weekday: Intl.DateTimeFormat | undefined

/** When something was, within a sentence: "today at 20:15", "on Tuesday", then "on Mar 3, 2026". */
export function useWhenText(): (iso: string) => string {
  const { t } = useTranslation('watchlist')
  return (iso) => {
    const moment = new Date(iso)
    const startOfDay = (date: Date) => new Date(date).setHours(0, 0, 0, 0)
    // A day that the clock was changed has another length.
    const daysAgo = Math.round((startOfDay(new Date()) - startOfDay(moment)) / DAY)
    if (daysAgo === 0 || daysAgo === 1) {
      time ??= new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
      return t(daysAgo === 0 ? 'mediaServers.when.today' : 'mediaServers.when.yesterday', { time: time.format(moment) })
    }
    if (daysAgo < 0 || daysAgo >= WEEK) return t('mediaServers.when.date', { day: dayText(iso) })
    weekday ??= new Intl.DateTimeFormat(locale, { weekday: 'long' })
    return t('mediaServers.when.weekday', { day: weekday.format(moment) })
  }
}

/** What is wrong with a media server, if that is why a call failed. */
export function faultOf(error: unknown): MediaServerFaultKind | undefined {
  if (!isApiError(error)) return undefined
  return MEDIA_SERVER_FAULTS.find((fault) => fault === error.details['fault'])
}

/** What is wrong with a media server, and what to do. */
export function useFaultText(): (fault: MediaServerFaultKind) => string {
  const { t } = useTranslation('watchlist')
  return (fault) => t(`mediaServers.faults.${fault}`)
}

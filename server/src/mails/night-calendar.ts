import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

import type { NightCalendar } from '../rooms/nights/nights/service.ts'
import { PRODUCT_NAME } from '../texts/product-name.ts'
import { LOCALES } from '../texts/texts.ts'

/** How long the entry of a night is. Its end is not planned. */
const HOURS = 3

/**
 * The source of an iCalendar file. An entry keeps its UID, and its SEQUENCE rises with each change. Times are in UTC, which
 * is right in every time zone, on both sides of daylight saving.
 */
export function nightCalendars(publicUrl: string): (calendar: NightCalendar) => string {
  const { hostname } = new URL(publicUrl)
  return ({ language, watchlistName, entries, method }) => {
    const texts = LOCALES.of(language)
    const title = texts.t('night.title', { watchlist: watchlistName })
    const calendar = ical({
      name: title,
      prodId: { company: PRODUCT_NAME, product: 'Movie nights', language: texts.language.toUpperCase() },
      ...(method && { method: ICalCalendarMethod[method] }),
    })
    for (const { night, revision, updatedAt } of entries) {
      const [time] = night.times
      if (time === undefined) continue
      const start = new Date(time.startsAt)
      const isCancelled = method === 'CANCEL' || night.state === 'cancelled'
      calendar.createEvent({
        id: `${night.id}@${hostname}`,
        sequence: revision,
        stamp: new Date(updatedAt),
        lastModified: new Date(updatedAt),
        start,
        end: new Date(start.getTime() + HOURS * 60 * 60_000),
        summary: title,
        location: night.place,
        description: night.note,
        url: `${publicUrl}/watchlists/${night.watchlistId}/night`,
        organizer: { name: PRODUCT_NAME, email: `no-reply@${hostname}` },
        status: isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      })
    }
    return calendar.toString()
  }
}

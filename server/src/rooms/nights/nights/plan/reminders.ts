import type { MailMessage } from '@marquee/platform/mail/message'
import { type Queue, type QueuePorts, startQueue } from '@marquee/platform/queue/queue'
import { takeRows } from '@marquee/platform/queue/store'
import { DAY_MS, MINUTE_MS } from '@marquee/platform/runtime/durations'

import { findTitles } from '../../../movies/cards/service.ts'
import { mailOriginOf } from '../../../club/people/service.ts'
import { listUnratedAtNight } from '../../../movies/viewings/service.ts'
import { changeInBackground, findWatchlistNames, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { addressesOf, type NightMail, type NightMailPorts, readersAmong } from './mails.ts'
import { type ReminderRow, WAITING_REMINDERS } from './reminder-store.ts'

/** What a mail that asks for ratings says. */
export type RatingMail = Pick<NightMail, 'to' | 'language' | 'username' | 'unsubscribeUrl'> & {
  watchlistId: string
  watchlistName: string
  /** Of the movies that the member has not rated. */
  titles: readonly string[]
}

export type ReminderPorts = WatchlistPorts &
  QueuePorts &
  Pick<NightMailPorts, 'accounts' | 'mail' | 'mailTimes' | 'unsubscribeUrl'> & {
    readonly ratingMail: (mail: RatingMail) => MailMessage
  }

const PARALLEL = 2
const RETRY_MS = MINUTE_MS / 2
/** A reminder is made with the first film of its night, for the next day. */
const LONGEST_WAIT_MS = DAY_MS

/** Asks the members who were at a night for their ratings, in one mail and one notification each, when its reminder is due. */
export function startRatingReminders(ports: ReminderPorts): Queue {
  return startQueue<ReminderRow>(ports, {
    name: 'rating reminders',
    table: WAITING_REMINDERS,
    parallel: PARALLEL,
    retryMs: RETRY_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    perform: async ([row]) => await remind(ports, row),
  })
}

/** The mails, the activity and the end of the reminder are one transaction, so no member is asked twice. */
async function remind(ports: ReminderPorts, row: ReminderRow): Promise<void> {
  const { mail, ratingMail } = ports
  const { watchlist_id: watchlistId, night_id: nightId } = row
  const { people } = await addressesOf(ports, watchlistId)
  await changeInBackground(ports, watchlistId, async ({ trx, happened, now }) => {
    if ((await takeRows(trx, WAITING_REMINDERS, [row])).length === 0) return
    const watchlistName = (await findWatchlistNames(trx, [watchlistId])).get(watchlistId) ?? ''
    const unrated = await listUnratedAtNight(trx, watchlistId, nightId)
    if (unrated.length === 0) return
    happened('ratings.due', { nightId })
    const readers = await readersAmong(ports, trx, people, { group: 'ratings', watchlistId, now })
    const titleOf = await findTitles(
      trx,
      watchlistId,
      unrated.map(({ cardId }) => cardId),
    )
    for (const [username, own] of Map.groupBy(unrated, (one) => one.username)) {
      const reader = readers.get(username)
      const titles = own.flatMap(({ cardId }) => titleOf.get(cardId) ?? [])
      if (reader === undefined || reader.dueAt > now || titles.length === 0) continue
      const { to, language, unsubscribeUrl, userId } = reader
      const content = { to, language, unsubscribeUrl, username, watchlistId, watchlistName, titles }
      await mail.enqueue(trx, ratingMail(content), { origin: mailOriginOf({ userId, username }, to) })
    }
  })
  mail.wake()
}

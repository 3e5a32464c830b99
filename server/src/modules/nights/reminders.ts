import type { MailMessage } from '@marquee/platform/mail/message'
import { type DueWork, startDueWork } from '@marquee/platform/runtime/due-work'
import type { Logger } from '@marquee/platform/runtime/logger'

import { activityOf, insertActivity } from '../activities/service.ts'
import { findTitles } from '../cards/service.ts'
import { listUnratedAtNight } from '../viewings/service.ts'
import { findWatchlistNames, type WatchlistPorts } from '../watchlists/service.ts'
import { type NightMail, type NightMailPorts, readersOf } from './mails.ts'
import { nextReminder, takeReminder } from './reminder-store.ts'
import type { NightKey } from './store.ts'

/** What a mail that asks for ratings says. */
export type RatingMail = Pick<NightMail, 'to' | 'language' | 'username' | 'unsubscribeUrl'> & {
  watchlistId: string
  watchlistName: string
  /** Of the movies that the member has not rated. */
  titles: readonly string[]
}

export type ReminderPorts = WatchlistPorts &
  Pick<NightMailPorts, 'accounts' | 'mail' | 'unsubscribeUrl'> & {
    readonly logger: Logger
    /** Has the activities announced that were recorded. */
    readonly wakeActivities: () => void
    readonly ratingMail: (mail: RatingMail) => MailMessage
  }

const RETRY_MS = 30_000

/** Asks the members who were at a night for their ratings, in one mail and one notification each, when its reminder is due. */
export function startRatingReminders(ports: ReminderPorts): DueWork {
  const { clock, database, logger } = ports
  return startDueWork({
    clock,
    work: async (stopping) => {
      for (;;) {
        const next = await nextReminder(database.read)
        if (!next) return undefined
        const dueAt = Date.parse(next.dueAt)
        if (stopping.aborted || dueAt > clock.now().getTime()) return dueAt
        await remind(ports, next)
      }
    },
    onFailure: (error) => logger.warn({ err: error }, 'reminders of movie nights could not be sent'),
    retryMs: RETRY_MS,
  })
}

/** The mails, the activity and the end of the reminder are one transaction, so no member is asked twice. */
async function remind(ports: ReminderPorts, night: NightKey): Promise<void> {
  const { database, clock, mail, ratingMail } = ports
  const { watchlistId } = night
  const readers = await readersOf(ports, watchlistId, 'ratings')
  await database.transaction(async (trx) => {
    if (!(await takeReminder(trx, night))) return
    const watchlistName = (await findWatchlistNames(trx, [watchlistId])).get(watchlistId) ?? ''
    const unrated = await listUnratedAtNight(trx, watchlistId, night.id)
    if (unrated.length === 0) return
    const at = clock.now().toISOString()
    await insertActivity(trx, activityOf(ports, { kind: 'please-rate', watchlistId, nightId: night.id, by: null, at }))
    const titleOf = await findTitles(
      trx,
      watchlistId,
      unrated.map(({ cardId }) => cardId),
    )
    for (const [username, own] of Map.groupBy(unrated, (one) => one.username)) {
      const reader = readers.get(username)
      const titles = own.flatMap(({ cardId }) => titleOf.get(cardId) ?? [])
      if (reader === undefined || titles.length === 0) continue
      const content = { ...reader, username, watchlistId, watchlistName, titles }
      await mail.enqueue(trx, ratingMail(content))
    }
  })
  mail.wake()
  ports.wakeActivities()
}

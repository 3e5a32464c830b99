import type { Notification } from '@marquee/contract/entities/notification'
import { groupOf, type NotificationSettings } from '@marquee/contract/entities/notification-settings'
import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailMessage } from '@marquee/platform/mail/message'
import type { MailQueue } from '@marquee/platform/mail/queue'
import { type Queue, type QueuePorts, startQueue } from '@marquee/platform/queue/queue'
import { moveLane } from '@marquee/platform/queue/store'
import { HOUR_MS } from '@marquee/platform/runtime/durations'

import { findLanguage, mailOriginOf } from '../../club/people/service.ts'
import { listWatchlistIdsOf } from '../../club/watchlists/service.ts'
import { mailTime } from './delivery.ts'
import { afterQuietHours } from './delivery-times.ts'
import { listUnread } from './list.ts'
import {
  claimMailTime,
  findMailTimes,
  insertMails,
  type MailReader,
  type MailRow,
  takeDueMails,
  WAITING_MAILS,
} from './mail-store.ts'
import { isRefused, settingsOf } from './settings.ts'
import type { MailTopic } from './unsubscribe.ts'

/** What a mail about notifications says. */
export type NotificationMail = {
  readonly to: string
  readonly language: Language | undefined
  readonly username: string
  /** The newest first. */
  readonly notifications: readonly Notification[]
  /** How many older ones are left out. */
  readonly more: number
  readonly unsubscribeUrl: string
}

type MailPorts = QueuePorts & {
  readonly mail: Pick<MailQueue, 'enqueue' | 'wake'>
  readonly accounts: {
    readonly findUser: (username: string) => Promise<{ userId: string; email: string | undefined } | undefined>
  }
  readonly notificationMail: (mail: NotificationMail) => MailMessage
  readonly unsubscribeUrl: (reader: MailReader, topic: MailTopic) => string
}

const PARALLEL = 4
const RETRY_MS = 30_000
/**
 * A daily mail is due tomorrow, or at the end of quiet hours. One that waits longer is looked at again, and continues to
 * wait.
 */
const LONGEST_WAIT_MS = 26 * HOUR_MS
/** Between two mails to one user on one topic. What happens meanwhile is in the next one. */
const PAUSE_MS = HOUR_MS
const MAX_LISTED = 20

/**
 * Mails notifications when they are due. The transaction that takes them puts the mail into the outbox, so each is mailed
 * once, also if a process dies or several work.
 */
export function startNotificationMails(ports: MailPorts): Queue {
  const { clock, database, mail } = ports
  return startQueue<MailRow>(ports, {
    name: 'notification mails',
    table: WAITING_MAILS,
    parallel: PARALLEL,
    retryMs: RETRY_MS,
    longestWaitMs: LONGEST_WAIT_MS,
    perform: async ([row]) => {
      const { user_id: userId, username } = row
      try {
        await mailReader(ports, { userId, username })
      } catch (error) {
        const now = clock.now().getTime()
        await database.transaction(async (trx) => {
          await moveLane(trx, WAITING_MAILS, row, { until: now, to: now + RETRY_MS })
        })
        throw error
      }
      mail.wake()
    },
  })
}

async function mailReader(ports: MailPorts, { userId, username }: MailReader): Promise<void> {
  const { accounts, clock, database, mail, notificationMail, unsubscribeUrl } = ports
  // Before the transaction, because the user pool may be slow.
  const account = await accounts.findUser(username)
  const to = account?.userId === userId ? account.email : undefined
  const now = clock.now()
  await database.transaction(async (trx) => {
    const ids = await takeDueMails(trx, userId, now)
    if (to === undefined || ids.length === 0) return
    const settings = (await settingsOf(trx, [userId]))(userId)
    if (isRefused(settings, to)) return
    const language = await findLanguage(trx, userId)
    const readable = { memberOf: await listWatchlistIdsOf(trx, userId), invitedTo: [] }
    const news = (await listUnread(trx, userId, readable, ids)).filter(
      ({ watchlistId, startsAt }) =>
        !settings.mutedWatchlistIds.includes(watchlistId) && (startsAt === null || startsAt > now.toISOString()),
    )
    for (const [topic, about] of Map.groupBy(news, (notification) => topicOf(settings, notification))) {
      if (topic === undefined) continue
      const dueAt = await sendAt(trx, settings, { userId, topic, about, now })
      if (dueAt > now.getTime()) {
        const waiting = about.map(({ id }) => ({ user_id: userId, notification_id: id, username, due_at: dueAt }))
        await insertMails(trx, waiting)
        continue
      }
      const notifications = about.slice(0, MAX_LISTED)
      const more = about.length - notifications.length
      const url = unsubscribeUrl({ userId, username }, topic)
      const content = { to, language, username, notifications, more, unsubscribeUrl: url }
      await mail.enqueue(trx, notificationMail(content), { origin: mailOriginOf({ userId, username }, to) })
    }
  })
}

/** Undefined if the user no longer gets mails about it. */
function topicOf({ groups }: NotificationSettings, { kind }: Notification): MailTopic | undefined {
  const group = groupOf(kind)
  if (group === undefined || groups[group].mail === 'off') return undefined
  return groups[group].mail === 'daily' ? 'daily' : group
}

/** When a mail about these notifications may be sent. If that is now, the transaction has noted it. */
async function sendAt(
  trx: AnyDb,
  settings: NotificationSettings,
  { userId, topic, about, now }: { userId: string; topic: MailTopic; about: readonly Notification[]; now: Date },
): Promise<number> {
  const mode = topic === 'daily' ? 'daily' : 'at-once'
  // A clock that was ahead may have dated a notification.
  const oldest = Math.min(now.getTime(), ...about.map(({ createdAt }) => Date.parse(createdAt)))
  const dueAt = Math.max(now.getTime(), mailTime(settings, mode, new Date(oldest)).getTime())
  const isDue = afterQuietHours(settings, new Date(dueAt)).getTime() <= now.getTime()
  if (isDue && (await claimMailTime(trx, { userId, topic }, { now: dueAt, since: dueAt - PAUSE_MS }))) return dueAt
  const lastAt = (await findMailTimes(trx, userId)).get(topic)
  const pauseEnd = lastAt === undefined || lastAt > now.getTime() ? dueAt : Math.max(dueAt, lastAt + PAUSE_MS)
  return afterQuietHours(settings, new Date(pauseEnd)).getTime()
}

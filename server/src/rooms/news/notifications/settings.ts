import type { Body, ENDPOINTS } from '@marquee/contract/endpoints'
import {
  DEFAULT_GROUPS,
  type GroupChanges,
  NOTIFICATION_GROUPS,
  type NotificationGroup,
  NotificationSettings,
} from '@marquee/contract/entities/notification-settings'
import type { MailSettings } from '@marquee/contract/entities/profile'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import { isTimeZone } from '@marquee/platform/runtime/time-zone'

import { lockPerson, type User } from '../../club/people/service.ts'
import { listWatchlistIdsOf } from '../../club/watchlists/service.ts'
import { mailTime } from './delivery.ts'
import { reconsiderMails } from './mail-store.ts'
import { type ChangedSettings, findChanges, saveChanges } from './settings-store.ts'

export type SettingsPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly accounts: {
    readonly findUser: (username: string) => Promise<{ userId: string; email: string | undefined } | undefined>
  }
  /** Starts to mail what is due. */
  readonly wakeMails: () => void
}
type SettingsChange = Body<typeof ENDPOINTS.changeNotificationSettings>

/** The settings of each of these users. */
export async function settingsOf(
  db: AnyDb,
  userIds: readonly string[],
): Promise<(userId: string) => NotificationSettings> {
  const changes = await findChanges(db, userIds)
  return (userId) => withDefaults(changes.get(userId))
}

export async function getSettings(
  { database }: Pick<SettingsPorts, 'database'>,
  { userId }: User,
): Promise<NotificationSettings> {
  return (await settingsOf(database.read, [userId]))(userId)
}

/** The settings as their user sees them. */
export async function showSettings(
  ports: Pick<SettingsPorts, 'database' | 'accounts'>,
  user: User,
): Promise<NotificationSettings> {
  return await present(ports, user, await getSettings(ports, user))
}

/** An address that refused mails counts only while it is that of the user. */
async function present(
  { accounts }: Pick<SettingsPorts, 'accounts'>,
  { userId, username }: User,
  settings: NotificationSettings,
): Promise<NotificationSettings> {
  const { refusedEmail, ...others } = settings
  if (refusedEmail === undefined) return settings
  const account = await accounts.findUser(username)
  const email = account?.userId === userId ? account.email : undefined
  return email !== undefined && isRefused(settings, email) ? settings : others
}

/** Whether this address has refused a mail. */
export function isRefused({ refusedEmail }: Pick<NotificationSettings, 'refusedEmail'>, email: string): boolean {
  return refusedEmail?.toLowerCase() === email.toLowerCase()
}

/** Notes that the address of a member refused a mail for good. */
export async function noteRefusedEmail(trx: AnyDb, user: User, email: string): Promise<void> {
  // A user who deleted the account meanwhile is forgotten.
  if ((await listWatchlistIdsOf(trx, user.userId)).length === 0) return
  await lockPerson(trx, user)
  const before = (await findChanges(trx, [user.userId])).get(user.userId)
  await saveChanges(trx, user.userId, { ...before, refusedEmail: email })
}

/** @throws {Problem} BAD_REQUEST for an unknown time zone; NOT_FOUND if the user is not a member of the watchlist. */
export async function changeSettings(
  ports: SettingsPorts,
  user: User,
  { groups = {}, watchlist, quietHours, timeZone, refusedEmail }: SettingsChange,
): Promise<NotificationSettings> {
  const { database, clock, wakeMails } = ports
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    throw new Problem('BAD_REQUEST', 'timeZone: This is not a time zone')
  }
  const settings = await database.transaction(async (trx) => {
    await lockPerson(trx, user)
    const before = (await findChanges(trx, [user.userId])).get(user.userId) ?? {}
    const after: ChangedSettings = {
      ...before,
      groups: mergeGroups(before.groups, groups),
      ...(quietHours !== undefined && { quietHours }),
      ...(timeZone !== undefined && { timeZone }),
    }
    if (refusedEmail === null) delete after.refusedEmail
    if (watchlist) {
      const { watchlistId, isMuted } = watchlist
      const memberOf = await listWatchlistIdsOf(trx, user.userId)
      if (!memberOf.includes(watchlistId)) throw new Problem('NOT_FOUND')
      const muted = new Set(before.mutedWatchlistIds)
      if (isMuted) muted.add(watchlistId)
      else muted.delete(watchlistId)
      // Those that the user has left are forgotten, so that the list stays short.
      after.mutedWatchlistIds = memberOf.filter((id) => muted.has(id))
    }
    await saveChanges(trx, user.userId, after)
    await reconsiderMails(trx, user.userId, clock.now())
    return withDefaults(after)
  })
  wakeMails()
  return await present(ports, user, settings)
}

export async function getMailSettings(ports: SettingsPorts, user: User): Promise<MailSettings> {
  const { groups } = await getSettings(ports, user)
  return { nights: groups.nights.mail !== 'off' }
}

export async function setMailSettings(
  ports: SettingsPorts,
  user: User,
  { nights }: MailSettings,
): Promise<MailSettings> {
  const mail = nights ? 'at-once' : 'off'
  await changeSettings(ports, user, { groups: { nights: { mail }, ratings: { mail } } })
  return { nights }
}

/**
 * When those of the people who want them at once get a mail of a group about a watchlist at this address: now, or after quiet hours.
 * One that has waited goes also to those who want daily mails by now.
 */
export async function listMailTimes(
  db: AnyDb,
  people: readonly { userId: string; email: string }[],
  {
    group,
    watchlistId,
    now,
    isWaiting = false,
  }: { group: NotificationGroup; watchlistId: string; now: Date; isWaiting?: boolean },
): Promise<ReadonlyMap<string, Date>> {
  const settingsFor = await settingsOf(
    db,
    people.map(({ userId }) => userId),
  )
  return new Map(
    people.flatMap(({ userId, email }): [string, Date][] => {
      const settings = settingsFor(userId)
      if (settings.mutedWatchlistIds.includes(watchlistId) || isRefused(settings, email)) return []
      const { mail } = settings.groups[group]
      const isMailed = mail === 'at-once' || (isWaiting && mail === 'daily')
      return isMailed ? [[userId, mailTime(settings, 'at-once', now)]] : []
    }),
  )
}

function withDefaults({ groups, ...others }: ChangedSettings = {}): NotificationSettings {
  const defaults = { mutedWatchlistIds: [], quietHours: null, timeZone: null }
  return NotificationSettings.parse({ ...defaults, ...others, groups: mergeGroups(DEFAULT_GROUPS, groups) })
}

function mergeGroups(before: GroupChanges = {}, change: GroupChanges = {}): GroupChanges {
  const changed = NOTIFICATION_GROUPS.filter((group) => before[group] ?? change[group])
  return Object.fromEntries(changed.map((group) => [group, { ...before[group], ...change[group] }]))
}

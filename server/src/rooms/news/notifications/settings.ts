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
import { isMailedNow } from './delivery.ts'
import { reconsiderMails } from './mail-store.ts'
import { type ChangedSettings, findChanges, saveChanges } from './settings-store.ts'

export type SettingsPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
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

/** @throws {Problem} BAD_REQUEST for an unknown time zone; NOT_FOUND if the user is not a member of the watchlist. */
export async function changeSettings(
  { database, clock, wakeMails }: SettingsPorts,
  user: User,
  { groups = {}, watchlist, quietHours, timeZone }: SettingsChange,
): Promise<NotificationSettings> {
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
  return settings
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

/** Those of the users who get a mail of a group about a watchlist now: mails at once, and no quiet hours. */
export async function listMailedNow(
  { database, clock }: Pick<SettingsPorts, 'database' | 'clock'>,
  userIds: readonly string[],
  { group, watchlistId }: { group: NotificationGroup; watchlistId: string },
): Promise<ReadonlySet<string>> {
  const settingsFor = await settingsOf(database.read, userIds)
  return new Set(
    userIds.filter((userId) => {
      const settings = settingsFor(userId)
      if (settings.mutedWatchlistIds.includes(watchlistId)) return false
      return isMailedNow(settings, settings.groups[group].mail, clock.now())
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

import pLimit from 'p-limit'

import type { Night } from '@marquee/contract/entities/night'
import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailCalendar, MailMessage } from '@marquee/platform/mail/message'
import type { MailQueue } from '@marquee/platform/mail/queue'

import { listLanguages, listWithoutNightMails, type User } from '../profiles/service.ts'
import { loadWatchlist, type WatchlistPorts } from '../watchlists/service.ts'
import { hasEntry, presentNight } from './present.ts'
import type { NightRow } from './store.ts'

/** The address and language of a member. */
type Reader = { readonly to: string; readonly language: Language | undefined }

/** What a mail to one member says. */
export type NightMail = Reader & {
  username: string
  by: string
  watchlistName: string
  night: Night
  news: 'planned' | 'changed' | 'cancelled'
  calendar: MailCalendar | undefined
}

/** Entries for calendars. A mail has one, with its method; a subscribed calendar has no method. */
export type NightCalendar = {
  readonly language: Language | undefined
  readonly watchlistName: string
  readonly entries: readonly { readonly night: Night; readonly revision: number; readonly updatedAt: string }[]
  readonly method: MailCalendar['method'] | undefined
}

export type NightMailPorts = WatchlistPorts & {
  readonly publicUrl: string
  readonly mail: Pick<MailQueue, 'enqueue' | 'wake'>
  readonly accounts: {
    readonly findUser: (username: string) => Promise<{ userId: string; email: string | undefined } | undefined>
  }
  /** The source of an iCalendar file. */
  readonly nightCalendar: (calendar: NightCalendar) => string
  /** Composes the mail to one member. */
  readonly nightMail: (mail: NightMail) => MailMessage
}

/** The user pool may be another service. */
const LOOKUPS_AT_ONCE = 5

/**
 * The addresses and languages of the members who want mails about nights, by username. They are read before the
 * transaction, because the user pool may be slow.
 */
export async function readersOf(
  ports: WatchlistPorts & Pick<NightMailPorts, 'accounts'>,
  watchlistId: string,
): Promise<ReadonlyMap<string, Reader>> {
  const { members } = await loadWatchlist(ports, ports.database.read, watchlistId)
  const limit = pLimit(LOOKUPS_AT_ONCE)
  const found = await limit.map(members ?? [], async ({ username }) => {
    const user = await ports.accounts.findUser(username)
    return user?.email === undefined ? [] : [{ username, userId: user.userId, email: user.email }]
  })
  const people = found.flat()
  const ids = people.map(({ userId }) => userId)
  const without = await listWithoutNightMails(ports.database.read, ids)
  const languages = await listLanguages(ports.database.read, ids)
  return new Map(
    people
      .filter(({ userId }) => !without.has(userId))
      .map(({ username, userId, email }) => [username, { to: email, language: languages.get(userId) }]),
  )
}

/**
 * Puts a mail to each member into the outbox, with the calendar entry of a night whose time is fixed. If it was fixed and
 * is no longer, the mail removes the entry.
 */
export async function mailMembers(
  ports: NightMailPorts,
  trx: AnyDb,
  {
    row,
    before,
    user,
    news,
    readers,
  }: {
    row: NightRow
    /** The night before the change. */
    before: Night | undefined
    user: User
    news: NightMail['news']
    readers: ReadonlyMap<string, Reader>
  },
): Promise<void> {
  const { name: watchlistName, members } = await loadWatchlist(ports, trx, row.watchlist_id)
  const night = presentNight(row, ports.clock.now().toISOString())
  for (const { username } of members ?? []) {
    const reader = readers.get(username)
    if (reader === undefined) continue
    const calendar = calendarOf(ports, { ...reader, watchlistName, row, night, before })
    const mail = { ...reader, username, by: user.username, watchlistName, night, news, calendar }
    await ports.mail.enqueue(trx, ports.nightMail(mail))
  }
}

function calendarOf(
  { nightCalendar }: Pick<NightMailPorts, 'nightCalendar'>,
  {
    language,
    watchlistName,
    row,
    night,
    before,
  }: Pick<Reader, 'language'> & { watchlistName: string; row: NightRow; night: Night; before: Night | undefined },
): MailCalendar | undefined {
  const isShown = hasEntry(night) && night.state !== 'cancelled'
  // What is removed is the entry as it was.
  const shown = isShown ? night : before
  if (shown === undefined || !hasEntry(shown)) return undefined
  const method = isShown ? 'PUBLISH' : 'CANCEL'
  const entries = [{ night: shown, revision: row.revision, updatedAt: row.updated_at }]
  return { method, content: nightCalendar({ language, watchlistName, entries, method }) }
}

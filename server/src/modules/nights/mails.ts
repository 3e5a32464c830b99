import pLimit from 'p-limit'

import type { Night } from '@marquee/contract/entities/night'
import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailCalendar, MailMessage } from '@marquee/platform/mail/message'
import type { MailQueue } from '@marquee/platform/mail/queue'

import { listMailedAtOnce } from '../notifications/service.ts'
import { listLanguages, type User } from '../profiles/service.ts'
import { loadWatchlist, type WatchlistPorts } from '../watchlists/service.ts'
import { hasEntry, presentNight } from './present.ts'
import type { NightRow } from './store.ts'

/** The address and language of a member, and the link that turns these mails off. */
type Reader = {
  readonly to: string
  readonly language: Language | undefined
  readonly unsubscribeUrl?: string | undefined
}

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
  /** The link that turns the mails of a group off. Missing in commands, which know no keys. */
  readonly unsubscribeUrl?: (reader: { userId: string; username: string }, group: 'nights' | 'ratings') => string
  /** Composes the mail to one member. */
  readonly nightMail: (mail: NightMail) => MailMessage
}

/** The user pool may be another service. */
const LOOKUPS_AT_ONCE = 5

/** A reader; during their quiet hours, when these end. */
type DueReader = { readonly reader: Reader; readonly dueAt: Date | undefined }

/**
 * The members who get mails of a group at once, by username. They are read before the transaction, because the user pool
 * may be slow.
 */
export async function readersOf(
  ports: WatchlistPorts & Pick<NightMailPorts, 'accounts' | 'unsubscribeUrl'>,
  watchlistId: string,
  group: 'nights' | 'ratings',
): Promise<ReadonlyMap<string, DueReader>> {
  const { members } = await loadWatchlist(ports, ports.database.read, watchlistId)
  const limit = pLimit(LOOKUPS_AT_ONCE)
  const found = await limit.map(members ?? [], async ({ username }) => {
    const user = await ports.accounts.findUser(username)
    return user?.email === undefined ? [] : [{ username, userId: user.userId, email: user.email }]
  })
  const people = found.flat()
  const ids = people.map(({ userId }) => userId)
  const mailed = await listMailedAtOnce(ports, ids, { group, watchlistId })
  const languages = await listLanguages(ports.database.read, ids)
  return new Map(
    people.flatMap(({ username, userId, email }): [string, DueReader][] => {
      const times = mailed.get(userId)
      if (!times) return []
      const unsubscribeUrl = ports.unsubscribeUrl?.({ userId, username }, group)
      return [[username, { reader: { to: email, language: languages.get(userId), unsubscribeUrl }, ...times }]]
    }),
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
    readers: ReadonlyMap<string, DueReader>
  },
): Promise<void> {
  const { name: watchlistName, members } = await loadWatchlist(ports, trx, row.watchlist_id)
  const night = presentNight(row, ports.clock.now().toISOString())
  for (const { username } of members ?? []) {
    const due = readers.get(username)
    if (due === undefined) continue
    const calendar = calendarOf(ports, { ...due.reader, watchlistName, row, night, before })
    const mail = { ...due.reader, username, by: user.username, watchlistName, night, news, calendar }
    await ports.mail.enqueue(trx, ports.nightMail(mail), due.dueAt)
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

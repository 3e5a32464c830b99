import pLimit from 'p-limit'

import type { Night, NightAnswer } from '@marquee/contract/entities/night'
import type { Language } from '@marquee/contract/languages'
import type { AnyDb } from '@marquee/platform/database/database'
import type { MailCalendar, MailMessage } from '@marquee/platform/mail/message'
import type { MailQueue } from '@marquee/platform/mail/queue'

import { listLanguages, mailOriginOf, type User } from '../../../club/people/service.ts'
import { loadWatchlist, type WatchlistPorts } from '../../../club/watchlists/service.ts'
import { hasEntry, presentNight } from '../night/present.ts'
import type { NightRow } from '../night/store.ts'
import { insertWaitingMails, takeWaitingMails, type WaitingMail } from './waiting-mail-store.ts'

/** The address and language of a member, and the link that turns these mails off. */
type Reader = {
  readonly to: string
  readonly language: Language | undefined
  readonly unsubscribeUrl?: string | undefined
}

type WaitingReader = Reader & { readonly userId: string; readonly dueAt: Date }

/** What a mail to one member says. */
export type NightMail = Reader & {
  username: string
  by: string
  watchlistName: string
  night: Night
  /** `fixed` is a change that left one of several times. */
  news: NightChange | 'fixed'
  calendar: MailCalendar | undefined
  /** Whether the reader made the news. They are asked nothing. */
  isOwn: boolean
  /** What the reader has answered to the only time. */
  answer: NightAnswer | undefined
  /** The link with which the reader answers. */
  answerUrl: string | undefined
}

export type NightChange = 'planned' | 'changed' | 'cancelled'

/** Entries for calendars. A mail has one, with its method; a subscribed calendar has no method. */
export type NightCalendar = {
  readonly language: Language | undefined
  readonly watchlistName: string
  readonly entries: readonly { readonly night: Night; readonly revision: number; readonly updatedAt: string }[]
  readonly method: MailCalendar['method'] | undefined
}

type MailTopic = {
  readonly group: 'nights' | 'ratings'
  readonly watchlistId: string
  readonly now: Date
  readonly isWaiting?: boolean
}

export type NightMailPorts = WatchlistPorts & {
  readonly publicUrl: string
  readonly mail: Pick<MailQueue, 'enqueue' | 'wake'>
  /**
   * When those of the people who want them at once get a mail of a group at this address: now, or after quiet hours. A mail that
   * waits, for which their calendars wait, too, also goes to those who want daily mails by now.
   */
  readonly mailTimes: (
    db: AnyDb,
    people: readonly { userId: string; email: string }[],
    about: MailTopic,
  ) => Promise<ReadonlyMap<string, Date>>
  readonly accounts: {
    readonly findUser: (username: string) => Promise<{ userId: string; email: string | undefined } | undefined>
  }
  /** The source of an iCalendar file. */
  readonly nightCalendar: (calendar: NightCalendar) => string
  /** The link that turns the mails of a group off. Missing in commands, which know no keys. */
  readonly unsubscribeUrl?: (reader: { userId: string; username: string }, group: 'nights' | 'ratings') => string
  /** The link with which a member answers without a sign-in. Missing in commands, which know no keys. */
  readonly answerUrl?: (reader: { userId: string; username: string }, nightId: string) => string
  /** Composes the mail to one member. */
  readonly nightMail: (mail: NightMail) => MailMessage
}

/** The user pool may be another service. */
const LOOKUPS_AT_ONCE = 5

/** A member with their address. */
export type Addressed = { readonly username: string; readonly userId: string; readonly email: string }

/** The members who were asked for, and those of them whose address is known. */
type Addresses = { readonly asked: ReadonlySet<string>; readonly people: readonly Addressed[] }

/** A member joined after the addresses were read. */
class JoinedMeanwhile extends Error {}

/** The addresses of the members. They are read before the transaction, because the user pool may be slow. */
export async function addressesOf(
  ports: WatchlistPorts & Pick<NightMailPorts, 'accounts'>,
  watchlistId: string,
): Promise<Addresses> {
  const { members } = await loadWatchlist(ports, ports.database.read, watchlistId)
  const limit = pLimit(LOOKUPS_AT_ONCE)
  const found = await limit.map(members ?? [], async ({ username }) => {
    const user = await ports.accounts.findUser(username)
    return user?.email === undefined ? [] : [{ username, userId: user.userId, email: user.email }]
  })
  return { asked: new Set(members?.map(({ username }) => username)), people: found.flat() }
}

/** Does the work with the addresses of the members, and once more if a member has joined before its transaction. */
export async function withAddresses<T>(
  ports: NightMailPorts,
  watchlistId: string,
  work: (addresses: Partial<Addresses> & Pick<Addresses, 'people'>) => Promise<T>,
): Promise<T> {
  try {
    return await work(await addressesOf(ports, watchlistId))
  } catch (error) {
    if (!(error instanceof JoinedMeanwhile)) throw error
    const { people } = await addressesOf(ports, watchlistId)
    return await work({ people })
  }
}

/**
 * Those of the people who want mails of a group at once, by username, and when they get one: now, or after quiet hours. Others
 * who want mails get one about their notification later. It is decided in the transaction, at the time of the fact, as it is
 * for the notification.
 */
export async function readersAmong(
  ports: Pick<NightMailPorts, 'mailTimes' | 'unsubscribeUrl'>,
  trx: AnyDb,
  people: readonly Addressed[],
  about: MailTopic,
): Promise<ReadonlyMap<string, WaitingReader>> {
  const { group } = about
  const times = await ports.mailTimes(trx, people, about)
  const languages = await listLanguages(
    trx,
    people.map(({ userId }) => userId),
  )
  return new Map(
    people.flatMap(({ username, userId, email }): [string, WaitingReader][] => {
      const dueAt = times.get(userId)
      if (dueAt === undefined) return []
      const unsubscribeUrl = ports.unsubscribeUrl?.({ userId, username }, group)
      return [[username, { userId, dueAt, to: email, language: languages.get(userId), unsubscribeUrl }]]
    }),
  )
}

/**
 * Puts a mail to each member into the outbox, with the calendar entry of a night whose time is fixed. If it was fixed and
 * is no longer, the mail removes the entry. The member who made the news knows it, and gets a mail only for the entry. During
 * quiet hours, the mail about a plan is that of its notification. Those about changes wait, because calendars need them.
 */
export async function mailMembers(
  ports: NightMailPorts,
  trx: AnyDb,
  {
    row,
    before,
    user,
    news,
    people,
    asked,
    now,
  }: {
    row: NightRow
    /** The night before the change. */
    before: Night | undefined
    user: User
    news: NightChange
    people: readonly Addressed[]
    /** Of whom the addresses were read. Undefined if the mail is for those only. */
    asked?: ReadonlySet<string> | undefined
    now: Date
  },
): Promise<void> {
  const { watchlist_id: watchlistId, id } = row
  const readers = await readersAmong(ports, trx, people, { group: 'nights', watchlistId, now })
  const { name: watchlistName, members } = await loadWatchlist(ports, trx, watchlistId)
  if (asked && members?.some(({ username }) => !asked.has(username)) === true) throw new JoinedMeanwhile()
  const at = now.toISOString()
  const earlier = news === 'planned' ? [] : await takeWaitingMails(trx, { watchlistId, id })
  const waiting: WaitingMail[] = []
  for (const { username } of members ?? []) {
    const reader = readers.get(username)
    if (reader === undefined) continue
    const unsent = earlier.find((one) => one.user_id === reader.userId)
    const known = unsent === undefined ? before : knownNight(row, unsent.was_at, at)
    if (reader.dueAt <= now) {
      await mailMember(ports, trx, { reader, username, watchlistName, row, before: known, by: user.username, news, at })
    } else if (news !== 'planned') {
      waiting.push({
        watchlist_id: watchlistId,
        night_id: id,
        user_id: reader.userId,
        username,
        changed_by: user.username,
        was_at: entryTimeOf(known),
        due_at: reader.dueAt.getTime(),
      })
    }
  }
  await insertWaitingMails(trx, waiting)
}

/** The night as a calendar has it that has missed changes. */
export function knownNight(row: NightRow, wasAt: string | null, now: string): Night {
  return presentNight({ ...row, times: JSON.stringify(wasAt === null ? [] : [wasAt]) }, now)
}

function entryTimeOf(night: Night | undefined): string | null {
  return night !== undefined && hasEntry(night) ? (night.times[0]?.startsAt ?? null) : null
}

/** Puts the mail to one member into the outbox. */
export async function mailMember(
  ports: NightMailPorts,
  trx: AnyDb,
  {
    reader: { dueAt: _dueAt, userId, ...reader },
    username,
    watchlistName,
    row,
    before,
    by,
    news,
    at,
  }: {
    reader: WaitingReader
    username: string
    watchlistName: string
    row: NightRow
    /** The night as the calendar of the reader has it. */
    before: Night | undefined
    by: string
    news: NightChange
    at: string
  },
): Promise<void> {
  const night = presentNight(row, at)
  const isFixed = news === 'changed' && before !== undefined && !hasEntry(before) && hasEntry(night)
  const calendar = calendarOf(ports, { ...reader, watchlistName, row, night, before })
  const isOwn = username === by
  if (isOwn && calendar === undefined) return
  await ports.mail.enqueue(
    trx,
    ports.nightMail({
      ...reader,
      username,
      by,
      watchlistName,
      night,
      news: isFixed ? 'fixed' : news,
      calendar,
      isOwn,
      answer: answerOf(night, username),
      answerUrl: ports.answerUrl?.({ userId, username }, night.id),
    }),
    { origin: mailOriginOf({ userId, username }, reader.to) },
  )
}

function answerOf(night: Night, username: string): NightAnswer | undefined {
  if (!hasEntry(night)) return undefined
  return night.times[0]?.answers.find((one) => one.username === username)?.answer
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
  // A cancellation has the entry from before the change.
  const shown = isShown ? night : before
  if (shown === undefined || !hasEntry(shown)) return undefined
  const method = isShown ? 'PUBLISH' : 'CANCEL'
  const entries = [{ night: shown, revision: row.revision, updatedAt: row.updated_at }]
  return { method, content: nightCalendar({ language, watchlistName, entries, method }) }
}

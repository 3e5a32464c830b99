import type { Verb } from '@marquee/contract/access'
import { type Fact, type FactName, rowOf } from '@marquee/contract/facts'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { arrival, Sent, valueWith } from '@marquee/platform/database/sent'
import { together } from '@marquee/platform/database/statement-runner'
import type { Clock } from '@marquee/platform/runtime/clock'

import type { User } from '../people/service.ts'
import { authorizeItem, authorizeRead, type Find, type Item, type PlainVerb } from './authorize.ts'
import { lockWatchlist, type RowChange, touchAgain } from './store.ts'

export type ChangePorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  /** Where facts go: see `server/src/rooms/news/facts/service.ts`. */
  readonly facts: {
    /** Stores what is announced later, in the transaction that made it. `hasOthers`: another member may learn of it. */
    readonly record: (trx: AnyDb, fact: Fact, audience: { hasOthers: boolean }) => Sent<unknown>[]
    /** Sends the live events. Called after the commit. */
    readonly publish: (facts: readonly Fact[]) => void
    /** Removes what is still to be announced about something, or what asks for an answer that was given. */
    readonly settle: (trx: AnyDb, watchlistId: string, what: Settled) => Sent<unknown>
  }
}

/** The decisions about a card, the reminders of a night, or the notification of an invitation, with the id of each. */
type Settled = { decisionsOn: string } | { remindersOf: string } | { invitationOf: string }

type Place = {
  readonly watchlistId: string
  /** What the statement that locks the watchlist changes of its row. The facts raise the version of the feed anyhow. */
  readonly lock?: RowChange
  /** The message if there is no such watchlist, or the box was to shrink and is empty. */
  readonly notFound?: string
  /** On PostgreSQL, the transaction may be shared with changes of other watchlists. */
  readonly isShared?: boolean
}

/** What a change may use. It holds the watchlist until its transaction ends. */
export type Change<I = undefined> = {
  readonly trx: AnyDb
  /** What `item` found behind the lock. */
  readonly item: I
  readonly isOwner: boolean
  /** The number of cards in the box, after the change that came with the lock. */
  readonly boxCount: number
  /** The time of the change, read behind the lock. */
  readonly now: Date
  readonly at: string
  readonly happened: Happened
  readonly settle: (what: Settled) => Sent<unknown>
}

/** Records a fact. What follows from it is in the table `FACTS`. */
export type Happened = (name: FactName, details?: Partial<Omit<Fact, 'name' | 'watchlistId'>>) => Fact

/** The name of the user who makes the change; null for the program, and for a guest of a night. */
type By = Pick<User, 'username'> | null

type Admitted<I> = { readonly isOwner: boolean; readonly isMember: boolean; readonly item: I }
type Work<I, T> = (change: Change<I>) => Promise<T | Sent<T>>

/**
 * Changes a watchlist: locks it, checks that the user may, runs `work`, commits, and publishes what the recorded facts say.
 * `item` reads what the verb is about, for verbs that depend on an author. `work` has no effect outside the database, because
 * it may run again. It returns its last statements as `Sent`, so that the commit leaves with them.
 * @throws {Problem} NOT_FOUND, also if the watchlist is private or there is no such item; FORBIDDEN.
 */
export async function changeWatchlist<T, I extends Item>(
  ports: ChangePorts,
  user: User,
  verb: Verb,
  place: Place & { readonly item: Find<I> },
  work: Work<I, T>,
): Promise<T>
export async function changeWatchlist<T>(
  ports: ChangePorts,
  user: User,
  verb: PlainVerb,
  place: Place,
  work: Work<undefined, T>,
): Promise<T>
export async function changeWatchlist<T, I extends Item>(
  ports: ChangePorts,
  user: User,
  verb: Verb,
  { item: find, ...place }: Place & { readonly item?: Find<I> },
  work: Work<never, T>,
): Promise<T> {
  const admit = async (trx: AnyDb): Promise<Admitted<I | undefined>> => {
    if (find) return await authorizeItem(trx, user, verb, place.watchlistId, find)
    return { ...(await authorizeRead(trx, user, verb as PlainVerb, place.watchlistId)), item: undefined }
  }
  return await inTransaction(ports, user, place, admit, work as Work<I | undefined, T>)
}

/**
 * `changeWatchlist` without a verb, for a caller who is not a member. `work` checks their right, for example by a token.
 * `read` is sent with the lock.
 * @throws {Problem} NOT_FOUND if there is no such watchlist.
 */
export async function changeWithoutVerb<T, I = undefined>(
  ports: ChangePorts,
  by: By,
  { read, ...place }: Place & { readonly read?: (db: AnyDb) => Promise<I> },
  work: Work<I, T>,
): Promise<T> {
  const admit = async (trx: AnyDb) => ({ isOwner: false, isMember: false, item: (await read?.(trx)) as I })
  return await inTransaction(ports, by, place, admit, work)
}

/** A change by the program itself, in the background. Undefined if the watchlist was deleted in the meantime. */
export async function changeInBackground<T>(
  ports: ChangePorts,
  watchlistId: string,
  work: Work<undefined, T>,
): Promise<T | undefined> {
  try {
    return await changeWithoutVerb(ports, null, { watchlistId }, work)
  } catch (error) {
    if (error instanceof Problem && error.key === 'NOT_FOUND') return undefined
    throw error
  }
}

/** The one place that opens a transaction on a watchlist. */
async function inTransaction<I, T>(
  { database, clock, facts }: ChangePorts,
  by: By,
  { watchlistId, lock = {}, notFound, isShared }: Place,
  admit: (trx: AnyDb) => Promise<Admitted<I>>,
  work: Work<I, T>,
): Promise<T> {
  let committed: readonly Fact[] = []
  const transaction = async (trx: AnyDb): Promise<T | Sent<T>> => {
    // The check is a statement of its own: it sees what was committed while the lock waited.
    const [locked, { isMember, ...admitted }] = await together(lockWatchlist(trx, watchlistId, lock), admit(trx))
    if (!locked) throw new Problem('NOT_FOUND', notFound)
    const { boxCount, memberCount } = locked
    const hasOthers = !isMember || memberCount > 1
    const now = clock.now()
    const at = now.toISOString()
    // Work that runs again begins with none.
    const { happened, made, recorded } = recordFacts(trx, facts, {
      watchlistId,
      by: by?.username ?? null,
      at,
      hasOthers,
    })
    committed = made
    const settle = (what: Settled) => facts.settle(trx, watchlistId, what)
    const result = await work({ ...admitted, trx, boxCount, now, at, happened, settle })
    const raises = !lock.changesFeed && made.some((fact) => rowOf(fact).changesFeed)
    if (raises) recorded.push(touchAgain(trx, watchlistId, { changesFeed: true }))
    return sentWith(result, recorded)
  }
  const result = await database.transaction(transaction, isShared ? { locks: watchlistId } : undefined)
  facts.publish(committed)
  return result
}

/**
 * `changeInBackground` in a transaction that began elsewhere, such as the deletion of an account. Returns the facts to
 * publish after its commit, or undefined if there is no such watchlist, or its removal has begun. A caller that changes
 * several watchlists does so in the order of their ids: otherwise two transactions may wait for each other.
 */
export async function changeWithin(
  trx: AnyDb,
  { facts }: Pick<ChangePorts, 'facts'>,
  { watchlistId, lock = {}, at }: Pick<Place, 'watchlistId' | 'lock'> & { readonly at: string },
  work: (change: Pick<Change, 'boxCount' | 'happened'>) => Promise<void>,
): Promise<readonly Fact[] | undefined> {
  const locked = await lockWatchlist(trx, watchlistId, lock)
  if (!locked) return undefined
  const { happened, made, arrived } = recordFacts(trx, facts, { watchlistId, by: null, at })
  await work({ boxCount: locked.boxCount, happened })
  await arrived()
  return made
}

/**
 * Records facts in a transaction that began elsewhere, for example with the deletion of an account. `arrived` waits for their
 * statements; `made` is published after the commit.
 */
export function recordFacts(
  trx: AnyDb,
  { record }: Pick<ChangePorts['facts'], 'record'>,
  { hasOthers = true, ...of }: Pick<Fact, 'watchlistId' | 'by' | 'at'> & { readonly hasOthers?: boolean },
) {
  const made: Fact[] = []
  const recorded: Sent<unknown>[] = []
  const happened: Happened = (name, details) => {
    const fact = { name, ...of, ...details }
    made.push(fact)
    recorded.push(...record(trx, fact, { hasOthers }))
    return fact
  }
  const arrived = async (): Promise<void> => {
    for (const sent of recorded) await arrival(sent)
  }
  return { happened, made, recorded, arrived }
}

/** The result with further last statements. */
function sentWith<T>(result: T | Sent<T>, sent: readonly Sent<unknown>[]): T | Sent<T> {
  if (sent.length === 0) return result
  return result instanceof Sent ? result.with(...sent) : valueWith(result, sent)
}

import type { AnyDb, Database, TransactionOptions } from '../database/database.ts'
import { arrival, type Sent } from '../database/sent.ts'
import { askTogether, together } from '../database/statement-runner.ts'
import type { Handler, HandlerInput, HttpEndpoint } from '../http/mount.ts'
import { type Clock, inFuture } from '../runtime/clock.ts'
import { DAY_MS } from '../runtime/durations.ts'
import type { Random } from '../runtime/random.ts'
import { readRequestKey, type RequestKey } from './request-key.ts'
import { claimKey, findReply, saveReply } from './store.ts'

/** For how long a repeated request gets the first reply: what waits on a phone may be sent again after days. */
export const KEPT_MS = 7 * DAY_MS

export type RepeatPorts = { readonly database: Database<unknown>; readonly clock: Clock; readonly random: Random }

/** Rolls back a transaction whose request another transaction has answered. */
class Answered extends Error {
  override readonly name = 'Answered'
  readonly reply: unknown

  constructor(reply: unknown) {
    super('This request has been answered before')
    this.reply = reply
  }
}

type Repeatable<E extends HttpEndpoint, User, P> = {
  /**
   * Rejects callers who may not, or no longer, see the reply: a stored reply is sent only after this check. It runs
   * together with the lookup, so its statements are made by `prepared`.
   */
  authorize: (db: AnyDb, input: HandlerInput<E, User>) => Promise<unknown>
  /**
   * Opens exactly one transaction, whose result is the reply. The database in `ports` stores the reply in the same
   * transaction.
   */
  handle: (ports: P, input: HandlerInput<E, User>) => ReturnType<Handler<E, User>>
  /** If the stored result is not the reply itself: makes the reply of a repeat from it, or throws its problem. */
  replay?: (stored: unknown) => Awaited<ReturnType<Handler<E, User>>>
  /**
   * Fields of the body in which a repeat may differ, at its top level only. A field that is new to a call belongs here: a
   * process of the version before strips it, and the next try may come to one of this version.
   */
  uncompared?: readonly (keyof HandlerInput<E, User>['body'] & string)[]
}

/**
 * Adds `Idempotency-Key` to the handler of a call that takes a key. The same request with the same key gets the
 * first reply with `Idempotency-Replayed: true` and changes nothing, even if both arrive at once. Failures are not
 * stored, so a client can retry them with the same key.
 */
export function repeatable<
  const E extends HttpEndpoint,
  User extends { readonly userId: string },
  P extends RepeatPorts,
>(ports: P, { authorize, handle, replay, uncompared }: Repeatable<E, User, P>): Handler<E, User> {
  return async (input) => {
    const key = readRequestKey(input.request, (input.user as User).userId, uncompared)
    if (!key) return await handle(ports, input)
    try {
      const [, stored] = await askTogether(
        ports.database.read,
        async (db) => await together(authorize(db, input), findReply(db, key.row, cutoff(ports.clock))),
      )
      if (stored) throw new Answered(key.open(stored))
      return await handle({ ...ports, database: storingReply(ports, key) }, input)
    } catch (error) {
      if (!(error instanceof Answered)) throw error
      void input.reply.header('idempotency-replayed', 'true')
      return replay ? replay(error.reply) : (error.reply as Awaited<ReturnType<Handler<E, User>>>)
    }
  }
}

/** The same database, except that its transaction also stores its result as the reply for the key. */
function storingReply({ database, clock, random }: RepeatPorts, key: RequestKey): Database<unknown> {
  let isUsed = false

  async function transaction<T>(work: (trx: AnyDb) => Promise<T | Sent<T>>, options?: TransactionOptions): Promise<T> {
    if (isUsed) throw new Error(`${key.row.endpoint} opens more than one transaction`)
    isUsed = true
    return await database.transaction(async (trx) => {
      const [now, oldest] = [clock.now().toISOString(), cutoff(clock)]
      if (!(await claimKey(trx, key.row, { requestMac: key.requestMac, now, cutoff: oldest }))) {
        const stored = await findReply(trx, key.row, oldest)
        if (!stored) throw new Error('A key that is taken has no reply')
        throw new Answered(key.open(stored))
      }
      const reply = await arrival(await work(trx))
      return saveReply.send(trx, { ...key.row, replyBox: key.seal(reply, random) }).map(() => reply)
    }, options)
  }

  const storing: Database<unknown> = {
    ...database,
    transaction: transaction as Database<unknown>['transaction'],
    withTables: <Other>() => storing as unknown as Database<Other>,
  }
  return storing
}

function cutoff(clock: Clock): string {
  return inFuture(clock, -KEPT_MS).toISOString()
}

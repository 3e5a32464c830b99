import { CognitoError, decide, refusals } from '../base/errors/refusals.ts'
import type { Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { findUserBySub } from '../parts/users/user-store.ts'
import { present } from './advance.ts'
import { knownDevice } from './device-step.ts'
import { closeSession, spendAnswer } from './session-store.ts'
import { type ChallengeName, readSession, type Session, type SignInPorts, type SignInStep } from './session.ts'
import { isSameUser } from './srp.ts'

/** What RespondToAuthChallenge hands to whoever judges the answer. */
export type ChallengeAnswer = {
  session: string | undefined
  responses: ReadonlyMap<string, string>
  /** For a plug-in alone. */
  clientMetadata: Readonly<Record<string, string>>
}

/** Answers one kind of challenge; the reply is the next challenge or tokens. */
export type Answer = (pool: SignInPorts, answer: ChallengeAnswer) => Promise<object>

/** Who is answering; `user` is undefined for a name that is nobody's. */
export type Held = { session: Session; user: UserRow | undefined }

/**
 * Answers a challenge that stands in a Session: opens it, counts the answer, has it judged and voids the session if it
 * was right, all in one transaction. A refusal that `judge` returns leaves the session open for four more tries; one
 * that it throws leaves no trace at all.
 */
export async function answerInSession(
  pool: SignInPorts,
  answer: ChallengeAnswer,
  at: ChallengeName | readonly ChallengeName[],
  judge: (trx: Db, held: Held) => Promise<SignInStep>,
): Promise<object> {
  const session = await openSession(pool, answer, at)
  const deviceKey = session.deviceKey ?? (await knownDevice(pool, session.sub, answer.responses))
  const held = { ...session, deviceKey }
  const step = await decide(pool, async (trx): Promise<SignInStep> => await judgeOnce(trx, held, judge))
  return await present(pool, step)
}

/**
 * Uses a session up before its answer is judged, unless `refuse` says no: for a judge that may take its time and must
 * not do so in a transaction.
 */
export async function useSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'database' | 'id' | 'keyring'>,
  answer: ChallengeAnswer,
  at: ChallengeName,
  refuse: (trx: Db, session: Session) => Promise<CognitoError | undefined>,
): Promise<Held> {
  const session = await openSession(pool, answer, at)
  return await decide(pool, async (trx) => {
    const user = await findUserBySub(trx, session.sub)
    if (user && fingerprintOf(user.salt) !== session.fingerprint) return refusals.invalidSession()
    if (!(await spendAnswer(trx, session))) return refusals.spentSession()
    const refusal = await refuse(trx, session)
    if (refusal) return refusal
    await closeSession(trx, session)
    return { session, user }
  })
}

async function openSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'database' | 'id' | 'keyring'>,
  answer: ChallengeAnswer,
  at: ChallengeName | readonly ChallengeName[],
): Promise<Session> {
  if (answer.session === undefined) throw refusals.missing('Session')
  const named = requiredResponse(answer, 'USERNAME')
  const session = readSession(pool, answer.session, at)
  if (!(await isSameUser(pool, named, session.sub))) throw refusals.invalidSession()
  return session
}

async function judgeOnce(
  trx: Db,
  session: Session,
  judge: (trx: Db, held: Held) => Promise<SignInStep>,
): Promise<SignInStep> {
  const user = await findUserBySub(trx, session.sub)
  if (user && fingerprintOf(user.salt) !== session.fingerprint) return refusals.invalidSession()
  if (!(await spendAnswer(trx, session))) return refusals.spentSession()
  const step = await judge(trx, { session, user })
  if (!(step instanceof CognitoError)) await closeSession(trx, session)
  return step
}

/** @throws InvalidParameterException naming what is missing. */
export function requiredResponse({ responses }: Pick<ChallengeAnswer, 'responses'>, name: string): string {
  const value = responses.get(name)
  if (value === undefined) throw refusals.missing(name)
  return value
}

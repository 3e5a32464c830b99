import { CognitoError, commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import type { Pool } from '../base/ports.ts'
import type { Db, UserRow } from '../base/tables.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { findUserBySub } from '../parts/users/user-store.ts'
import { present } from './advance.ts'
import { knownDevice } from './device-step.ts'
import { closeSession, spendAnswer } from './session-store.ts'
import { type ChallengeName, readSession, type Session, type SignInPorts, type SignInStep } from './session.ts'
import { isSameUser } from './srp.ts'

/** The answer that RespondToAuthChallenge passes on. */
export type ChallengeAnswer = {
  session: string | undefined
  responses: ReadonlyMap<string, string>
  /** Only for plug-ins. */
  clientMetadata: Readonly<Record<string, string>>
}

/** Answers one kind of challenge; the reply is the next challenge or tokens. */
export type Answer = (pool: SignInPorts, answer: ChallengeAnswer) => Promise<object>

/** The session and its user; `user` is undefined for an unknown name. */
export type Answering = { session: Session; user: UserRow | undefined }

/**
 * Answers a challenge with a Session: opens it, counts the answer, checks it, and voids the session if it was right, in
 * one transaction. A refusal that `check` returns leaves the session open for four more tries; a thrown one rolls the
 * transaction back.
 */
export async function answerInSession(
  pool: SignInPorts,
  answer: ChallengeAnswer,
  at: ChallengeName | readonly ChallengeName[],
  check: (trx: Db, answering: Answering) => Promise<SignInStep>,
): Promise<object> {
  const session = await openSession(pool, answer, at)
  const deviceKey = session.deviceKey ?? (await knownDevice(pool, session.sub, answer.responses))
  const atDevice = { ...session, deviceKey }
  const step = await commitOrRefuse(pool, async (trx): Promise<SignInStep> => await checkOnce(trx, atDevice, check))
  return await present(pool, step)
}

/**
 * Uses up a session before its answer is checked, unless `refuse` returns a refusal. For checks that take time and must
 * not run in a transaction.
 */
export async function useSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'database' | 'id' | 'keyring'>,
  answer: ChallengeAnswer,
  at: ChallengeName,
  refuse: (trx: Db, session: Session) => Promise<CognitoError | undefined>,
): Promise<Answering> {
  const session = await openSession(pool, answer, at)
  return await commitOrRefuse(pool, async (trx) => {
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

async function checkOnce(
  trx: Db,
  session: Session,
  check: (trx: Db, answering: Answering) => Promise<SignInStep>,
): Promise<SignInStep> {
  const user = await findUserBySub(trx, session.sub)
  if (user && fingerprintOf(user.salt) !== session.fingerprint) return refusals.invalidSession()
  if (!(await spendAnswer(trx, session))) return refusals.spentSession()
  const step = await check(trx, { session, user })
  if (!(step instanceof CognitoError)) await closeSession(trx, session)
  return step
}

/** @throws InvalidParameterException naming what is missing. */
export function requiredResponse({ responses }: Pick<ChallengeAnswer, 'responses'>, name: string): string {
  const value = responses.get(name)
  if (value === undefined) throw refusals.missing(name)
  return value
}

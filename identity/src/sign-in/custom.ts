import { z } from 'zod'

import type { ChallengeRound } from '../base/custom-challenges.ts'
import { commitOrRefuse, refusals } from '../base/errors/refusals.ts'
import { failMfa, passMfa, refuseLockedMfa, type FailureCounter } from '../base/limits/user-limits.ts'
import type { AttemptPorts, Pool, SealPorts } from '../base/ports.ts'
import {
  customFault,
  eventFor,
  requireCustomChallenges,
  runTrigger,
  type Visitor,
} from '../parts/custom/run-trigger.ts'
import { presentAttributes } from '../parts/users/attributes.ts'
import { fingerprintOf } from '../parts/users/password.ts'
import { findUserBySub, lockUser } from '../parts/users/user-store.ts'
import { advance, present } from './advance.ts'
import { type Answer, requiredResponse, useSession } from './answer.ts'
import { knownDevice, refuseUnknownDevice } from './device-step.ts'
import { type Candidate, subjectOf } from './first-factors.ts'
import {
  challenge,
  type NextChallenge,
  type Progress,
  type Session,
  type SignInPorts,
  type SignInStep,
} from './session.ts'
import { namedAccount, passwordVerifierParameters, requiredLoginName, requiredPublicValue } from './srp.ts'

type Ports = Pick<Pool, 'clientId' | 'customChallenges' | 'customTimeoutMs' | 'id' | 'logger'>

/** CUSTOM_AUTH: a sign-in by the challenges of the plug-in, with the password before them or without. */
export async function startCustom(
  pool: SignInPorts,
  parameters: ReadonlyMap<string, string>,
  clientMetadata: ClientMetadata,
): Promise<object> {
  requireCustomChallenges(pool)
  const typed = requiredLoginName(parameters)
  const A = parameters.get('CHALLENGE_NAME') === 'SRP_A' ? requiredPublicValue(parameters) : undefined
  const candidate = await namedAccount(pool, typed)
  return await continueCustom(pool, {
    candidate,
    rounds: A === undefined ? [] : [{ challengeName: 'SRP_A', challengeResult: true }],
    progress: { flow: 'CUSTOM_AUTH', proven: [], deviceKey: await knownDevice(pool, candidate.sub, parameters) },
    clientMetadata,
    A,
  })
}

/** The longest session that clients accept. */
const SESSION_LIMIT = 2048

const State = z.object({
  rounds: z.array(
    z.object({ challengeName: z.string(), challengeResult: z.boolean(), challengeMetadata: z.string().optional() }),
  ),
  /** Private parameters the plug-in gets back with the answer. */
  hidden: z.record(z.string(), z.string()),
  metadata: z.string().optional(),
  name: z.string(),
})

/** The state of a sign-in by custom challenges in its sealed session. */
type CustomState = z.infer<typeof State>

/** @throws NotAuthorizedException when the session has none. */
function readCustomState({ data }: Session): CustomState {
  const { data: state } = State.safeParse(JSON.parse(data?.['custom'] ?? 'null'))
  if (!state) throw refusals.invalidSession()
  return state
}

/**
 * The progress of a sign-in by custom challenges. `A` is the public value of the client until the password is proven.
 */
export type CustomSignIn = {
  candidate: Candidate
  rounds: ChallengeRound[]
  progress: Progress
  clientMetadata: ClientMetadata
  A?: bigint | undefined
}

/**
 * Carries out the decision of the plug-in: ask, sign in, or fail. Only known users get tokens, and other requirements,
 * such as a second factor, still apply.
 */
export async function continueCustom(pool: SignInPorts, signIn: CustomSignIn): Promise<object> {
  const { candidate, progress } = signIn
  const next = await nextRound(pool, candidate, signIn)
  if (next.kind === 'ask') return await present(pool, ask(pool, signIn, next))
  if (next.kind === 'password' && signIn.A !== undefined)
    return await present(pool, askPassword(pool, signIn, signIn.A))
  const { user } = candidate
  if (next.kind !== 'issue tokens' || !user) throw refusals.incorrectPassword()
  const proven = [...progress.proven, 'custom' as const]
  const step = await commitOrRefuse(pool, async (trx): Promise<SignInStep> => {
    // The user may have changed while the plug-in ran.
    const now = await findUserBySub(trx, user.sub)
    if (!now || fingerprintOf(now.salt) !== fingerprintOf(user.salt)) return refusals.incorrectPassword()
    return await advance(pool, trx, now, { ...progress, proven })
  })
  return await present(pool, step)
}

function ask(
  pool: SealPorts & Pick<Pool, 'logger'>,
  { candidate, rounds, progress }: CustomSignIn,
  next: NextRound & { kind: 'ask' },
): NextChallenge {
  const { hidden, metadata } = next
  const before = rounds.at(-1)
  const previousAnswer = before?.challengeResult === true ? 'right' : 'wrong'
  const state: CustomState = { rounds, hidden, name: candidate.nameKey, ...(metadata !== undefined && { metadata }) }
  const asked = challenge(pool, subjectOf(pool, candidate), progress, {
    name: 'CUSTOM_CHALLENGE',
    // The plug-in cannot override the parameters after its own.
    parameters: {
      ...next.shown,
      ...(before?.challengeName === 'CUSTOM_CHALLENGE' && { previousAnswer }),
      USERNAME: candidate.sub,
      USER_ID_FOR_SRP: candidate.sub,
    },
    data: { custom: JSON.stringify(state) },
  })
  if (asked.Session.length > SESSION_LIMIT) throw customFault(pool, 'create', new Error('private parameters too large'))
  return asked
}

function askPassword(pool: SealPorts, { candidate, progress }: CustomSignIn, A: bigint): NextChallenge {
  const parameters = passwordVerifierParameters(pool, candidate, { A, flow: 'CUSTOM_AUTH' })
  return challenge(pool, subjectOf(pool, candidate), progress, { name: 'PASSWORD_VERIFIER', parameters })
}

/** Enough for honest plug-ins, and few enough for the session to stay small. */
const MAX_ROUNDS = 15

/** What a sign-in by custom challenges does next. */
type NextRound =
  | { kind: 'fail' }
  | { kind: 'issue tokens' }
  | { kind: 'password' }
  | { kind: 'ask'; shown: Record<string, string>; hidden: Record<string, string>; metadata: string | undefined }

export type ClientMetadata = Readonly<Record<string, string>>

/** Asks the plug-in for the next step, and for the challenge if there is one. */
async function nextRound(
  pool: Ports,
  candidate: Candidate,
  { rounds, clientMetadata }: { rounds: ChallengeRound[]; clientMetadata: ClientMetadata },
): Promise<NextRound> {
  if (rounds.length >= MAX_ROUNDS) return { kind: 'fail' }
  const visitor = visitorOf(candidate)
  const copy = () => rounds.map((round) => ({ ...round }))
  const defined = await runTrigger(
    pool,
    'define',
    eventFor(pool, 'DefineAuthChallenge', visitor, { session: copy(), clientMetadata }),
  )
  if (defined.failAuthentication === true) return { kind: 'fail' }
  if (defined.issueTokens === true) return { kind: 'issue tokens' }
  const { challengeName } = defined
  if (challengeName === 'PASSWORD_VERIFIER' && rounds.at(-1)?.challengeName === 'SRP_A') return { kind: 'password' }
  if (challengeName !== 'CUSTOM_CHALLENGE') throw customFault(pool, 'define', new Error('no challenge that there is'))
  const created = await runTrigger(
    pool,
    'create',
    eventFor(pool, 'CreateAuthChallenge', visitor, { challengeName, session: copy(), clientMetadata }),
  )
  return {
    kind: 'ask',
    shown: created.publicChallengeParameters ?? {},
    hidden: created.privateChallengeParameters ?? {},
    metadata: created.challengeMetadata ?? undefined,
  }
}

/** Whether the plug-in accepts the answer. */
async function isRightAnswer(
  pool: Ports,
  candidate: Candidate,
  given: { answer: string; hidden: Readonly<Record<string, string>>; clientMetadata: ClientMetadata },
): Promise<boolean> {
  const { answer: challengeAnswer, hidden: privateChallengeParameters, clientMetadata } = given
  const request = { privateChallengeParameters, challengeAnswer, clientMetadata }
  const event = eventFor(pool, 'VerifyAuthChallengeResponse', visitorOf(candidate), request)
  return (await runTrigger(pool, 'verify', event)).answerCorrect === true
}

function visitorOf({ user, nameKey }: Candidate): Visitor {
  if (!user) return { userName: nameKey, userAttributes: {}, userNotFound: true }
  const attributes = presentAttributes(user).map(({ Name, Value }): [string, string] => [Name, Value])
  return {
    userName: user.username,
    userAttributes: { ...Object.fromEntries(attributes), 'cognito:user_status': user.status },
    userNotFound: false,
  }
}

/**
 * The answer to a challenge of the plug-in. The session is used up before the plug-in sees the answer, so no answer is
 * checked twice; the next challenge has a new session. Wrong answers are counted regardless of the plug-in.
 */
export const answerCustom: Answer = async (pool, answer) => {
  const given = requiredResponse(answer, 'ANSWER')
  const named = answer.responses.get('DEVICE_KEY')
  const { session, user } = await useSession(pool, answer, 'CUSTOM_CHALLENGE', async (trx, { sub }) => {
    const locked = await refuseLockedMfa(pool, trx, counterOf(sub))
    return locked ?? (await refuseUnknownDevice(pool, trx, sub, named))
  })
  const { sub } = session
  const { rounds, hidden, metadata, name } = readCustomState(session)
  const candidate = { sub, user, nameKey: name }
  const { clientMetadata } = answer
  const isRight = await isRightAnswer(pool, candidate, { answer: given, hidden, clientMetadata })
  await count(pool, sub, isRight)
  const round = { challengeName: 'CUSTOM_CHALLENGE', challengeResult: isRight, challengeMetadata: metadata }
  const progress = { ...session, deviceKey: named ?? session.deviceKey }
  return await continueCustom(pool, { candidate, rounds: [...rounds, round], progress, clientMetadata })
}

/** @throws NotAuthorizedException when too many answers were wrong. */
async function count(pool: AttemptPorts & Pick<Pool, 'database'>, sub: string, isRight: boolean): Promise<void> {
  await commitOrRefuse(pool, async (trx) => {
    // Answers that the plug-in checked concurrently are counted one by one.
    await lockUser(trx, sub)
    if (isRight) return await passMfa(pool, trx, counterOf(sub))
    const wrong = refusals.incorrectPassword()
    const refusal = await failMfa(pool, trx, counterOf(sub), wrong)
    return refusal === wrong ? undefined : refusal
  })
}

function counterOf(sub: string): FailureCounter {
  return { sub, of: 'custom' }
}

import type { Candidate } from '../sign-in/first-factors.ts'
import { presentAttributes } from '../users/attributes.ts'
import { customFault, eventFor, runTrigger, type Visitor } from './run-trigger.ts'
import type { ChallengeRound } from '../base/custom-challenges.ts'
import type { Pool } from '../base/ports.ts'

type Ports = Pick<Pool, 'clientId' | 'customChallenges' | 'customTimeoutMs' | 'id' | 'logger'>

/** Enough for any honest sequence, and an end for one that has none, before the session grows too large to be carried. */
const MAX_ROUNDS = 15

/** What a sign-in by custom challenges does next. */
export type NextRound =
  | { kind: 'fail' }
  | { kind: 'issue tokens' }
  | { kind: 'password' }
  | { kind: 'ask'; shown: Record<string, string>; hidden: Record<string, string>; metadata: string | undefined }

export type ClientMetadata = Readonly<Record<string, string>>

/** Has the plug-in say what comes next, and make up the challenge if that is it. */
export async function nextRound(
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

/** Whether the plug-in takes the answer. */
export async function isRightAnswer(
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

import { z } from 'zod'

import { decide } from '../pool/decide.ts'
import { advance, present } from '../sign-in/advance.ts'
import { type Candidate, subjectOf } from '../sign-in/first-factors.ts'
import type { Progress, Session } from '../sign-in/session.ts'
import { passwordVerifierParameters } from '../sign-in/srp-challenge.ts'
import { challenge, type NextChallenge, type SignInStep } from '../sign-in/step.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { findUserBySub } from '../users/user-store.ts'
import { refusals } from '../wire/refusals.ts'
import { type ClientMetadata, type NextRound, nextRound } from './next-round.ts'
import { customFault } from './run-trigger.ts'
import type { ChallengeRound } from '../base/custom-challenges.ts'
import type { SignInPorts } from '../sign-in/step.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

/** The most that clients carry (identity.md 0.17). */
const SESSION_LIMIT = 2048

const State = z.object({
  rounds: z.array(
    z.object({ challengeName: z.string(), challengeResult: z.boolean(), challengeMetadata: z.string().optional() }),
  ),
  /** What the plug-in wants to know again when the answer comes, and nobody else may. */
  hidden: z.record(z.string(), z.string()),
  metadata: z.string().optional(),
  name: z.string(),
})

/** What a sign-in by custom challenges carries along in its sealed session. */
export type CustomState = z.infer<typeof State>

/** @throws NotAuthorizedException when the session holds none. */
export function readCustomState({ data }: Session): CustomState {
  const { data: state } = State.safeParse(JSON.parse(data?.['custom'] ?? 'null'))
  if (!state) throw refusals.invalidSession()
  return state
}

/** How far a sign-in by custom challenges has come. `A` is the client's public value until the password is proven. */
export type CustomSignIn = {
  candidate: Candidate
  rounds: ChallengeRound[]
  progress: Progress
  clientMetadata: ClientMetadata
  A?: bigint | undefined
}

/**
 * Does what the plug-in says: asks, gives tokens, or ends it. Tokens are for who is known alone, and whatever else a
 * sign-in needs, a second factor say, is asked for as ever.
 */
export async function goOn(pool: SignInPorts, signIn: CustomSignIn): Promise<object> {
  const { candidate, progress } = signIn
  const next = await nextRound(pool, candidate, signIn)
  if (next.kind === 'ask') return await present(pool, ask(pool, signIn, next))
  if (next.kind === 'password' && signIn.A !== undefined)
    return await present(pool, askPassword(pool, signIn, signIn.A))
  const { user } = candidate
  if (next.kind !== 'issue tokens' || !user) throw refusals.incorrectPassword()
  const proven = [...progress.proven, 'custom' as const]
  const step = await decide(pool, async (trx): Promise<SignInStep> => {
    // The plug-in took its time: what the user needs to sign in is what they need now.
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
    // The plug-in cannot override what comes after its own parameters.
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

import type { Db, SessionRow, UserRow } from '../tables.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import type { CognitoError } from '../wire/cognito-error.ts'
import type { ChallengeName } from './challenge-names.ts'
import { makeSession, type Progress } from './session.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

/** What the steps of a sign-in need together. */
export type SignInPorts = Pick<
  Pool,
  | 'clientId'
  | 'clock'
  | 'customChallenges'
  | 'customTimeoutMs'
  | 'database'
  | 'id'
  | 'issuer'
  | 'keyring'
  | 'logger'
  | 'mail'
  | 'mailBudget'
  | 'mfa'
  | 'name'
  | 'passkeys'
  | 'productName'
  | 'random'
  | 'relyingParty'
  | 'signingKeys'
  | 'tracksDevices'
  | 'userAgent'
>

/** Where a sign-in stands after an answer: refused, at the next challenge, or signed in. */
export type SignInStep = CognitoError | NextChallenge | SignedIn

/** Everything is proven: what the tokens are made of. */
export type SignedIn = { kind: 'signed-in'; user: UserRow; session: SessionRow; refreshToken: string }

export type NextChallenge = {
  kind: 'challenge'
  ChallengeName: ChallengeName
  ChallengeParameters: Readonly<Record<string, string>>
  AvailableChallenges?: readonly string[]
  Session: string
}

/** Asks for one thing more, or refuses, or has nothing to ask. */
export type Step = (
  pool: SignInPorts,
  trx: Db,
  user: UserRow,
  progress: Progress,
) => Promise<CognitoError | NextChallenge | undefined>

/** A challenge with a session that answers it and nothing else. */
export function challenge(
  pool: SealPorts,
  user: Pick<UserRow, 'sub' | 'salt'>,
  progress: Progress,
  asked: { name: ChallengeName; parameters?: Record<string, string>; data?: Record<string, string> },
): NextChallenge {
  // What an earlier challenge had to remember is not handed on.
  const { flow, proven, deviceKey } = progress
  return {
    kind: 'challenge',
    ChallengeName: asked.name,
    ChallengeParameters: { USER_ID_FOR_SRP: user.sub, ...asked.parameters },
    Session: makeSession(pool, {
      flow,
      proven,
      deviceKey,
      data: asked.data,
      at: asked.name,
      sub: user.sub,
      fingerprint: fingerprintOf(user.salt),
    }),
  }
}

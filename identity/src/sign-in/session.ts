import { z } from 'zod'

import { type CognitoError, refusals } from '../base/errors/refusals.ts'
import type { Pool, SealPorts } from '../base/ports.ts'
import { requireUnexpired, sealedToken } from '../base/sealed/sealed-token.ts'
import type { Db, SessionRow, UserRow } from '../base/tables.ts'
import { fingerprintOf } from '../parts/users/password.ts'

/** Every challenge of Amazon's model, in its order. */
export const CHALLENGES = [
  'SMS_MFA',
  'EMAIL_OTP',
  'SOFTWARE_TOKEN_MFA',
  'SELECT_MFA_TYPE',
  'MFA_SETUP',
  'PASSWORD_VERIFIER',
  'CUSTOM_CHALLENGE',
  'SELECT_CHALLENGE',
  'DEVICE_SRP_AUTH',
  'DEVICE_PASSWORD_VERIFIER',
  'ADMIN_NO_SRP_AUTH',
  'NEW_PASSWORD_REQUIRED',
  'SMS_OTP',
  'PASSWORD',
  'WEB_AUTHN',
  'PASSWORD_SRP',
] as const

export type ChallengeName = (typeof CHALLENGES)[number]

/** Clients drop an unfinished sign-in after 3 minutes, and so does the server. */
export const SIGN_IN_SECONDS = 180

/** What has been proven so far. `mfa` means any second factor. */
const FACTORS = ['password', 'new-password', 'mfa', 'email', 'sms', 'passkey', 'device', 'custom', 'external'] as const
export type Factor = (typeof FACTORS)[number]

export const FLOWS = ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH', 'USER_AUTH', 'CUSTOM_AUTH'] as const
export type SignInFlow = (typeof FLOWS)[number]

const Content = z.object({
  /** The challenge this session is at: it answers no other. */
  at: z.enum(CHALLENGES),
  /** A decoy for an unknown name. */
  sub: z.string(),
  /** Binds the sign-in to the password at its start. */
  fingerprint: z.string(),
  flow: z.enum(FLOWS),
  proven: z.array(z.enum(FACTORS)),
  deviceKey: z.string().optional(),
  /** When the user signed in at the external provider, in seconds since 1970, if it said so. */
  authTime: z.number().optional(),
  /** State of the challenge itself. */
  data: z.record(z.string(), z.string()).optional(),
})

const sessionToken = sealedToken({ kind: 'session', schema: Content, lifetime: SIGN_IN_SECONDS })

/** The state of a sign-in between two challenges, as the client carries it, sealed. */
export type Session = NonNullable<ReturnType<typeof sessionToken.open>>

/** The progress of a sign-in. */
export type Progress = Pick<Session, 'flow' | 'proven'> & {
  deviceKey?: string | undefined
  authTime?: number | undefined
}

export type NewSession = Progress & {
  at: ChallengeName
  sub: string
  fingerprint: string
  data?: Record<string, string> | undefined
}

/** Seals a session that answers the challenge `at`, once, within 3 minutes. */
export function makeSession(pool: SealPorts, made: NewSession): string {
  return sessionToken.seal(pool, made)
}

/** Seals the same session again: same id, same end. */
export function sealSession(pool: SealPorts, session: Session): string {
  return sessionToken.seal(pool, session, session)
}

/** Opens a session. @throws NotAuthorizedException when it was altered, is at another challenge, or is too old. */
export function readSession(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  text: string,
  at: ChallengeName | readonly ChallengeName[],
): Session {
  const session = sessionToken.openAtAnyAge(pool, text)
  if (!session || ![at].flat().includes(session.at)) throw refusals.invalidSession()
  requireUnexpired(pool, session)
  return session
}

/** What the steps of a sign-in need together. */
export type SignInPorts = Pick<
  Pool,
  | 'acceptLanguage'
  | 'admitMail'
  | 'clientId'
  | 'clock'
  | 'customChallenges'
  | 'customTimeoutMs'
  | 'database'
  | 'id'
  | 'issuer'
  | 'keyring'
  | 'languageOf'
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

/** The result of an answer: refused, the next challenge, or signed in. */
export type SignInStep = CognitoError | NextChallenge | SignedIn

/** All proofs are complete: the content of the tokens. */
export type SignedIn = { kind: 'signed-in'; user: UserRow; session: SessionRow; refreshToken: string }

export type NextChallenge = {
  kind: 'challenge'
  ChallengeName: ChallengeName
  ChallengeParameters: Readonly<Record<string, string>>
  AvailableChallenges?: readonly string[]
  Session: string
}

/** Asks for one more proof, refuses, or returns undefined. */
export type Step = (
  pool: SignInPorts,
  trx: Db,
  user: UserRow,
  progress: Progress,
) => Promise<CognitoError | NextChallenge | undefined>

/** A challenge with a session that answers only this challenge. */
export function challenge(
  pool: SealPorts,
  user: Pick<UserRow, 'sub' | 'salt'>,
  progress: Progress,
  asked: { name: ChallengeName; parameters?: Record<string, string>; data?: Record<string, string> },
): NextChallenge {
  // State of an earlier challenge is dropped.
  const { flow, proven, deviceKey, authTime } = progress
  return {
    kind: 'challenge',
    ChallengeName: asked.name,
    ChallengeParameters: { USER_ID_FOR_SRP: user.sub, ...asked.parameters },
    Session: makeSession(pool, {
      flow,
      proven,
      deviceKey,
      authTime,
      data: asked.data,
      at: asked.name,
      sub: user.sub,
      fingerprint: fingerprintOf(user.salt),
    }),
  }
}

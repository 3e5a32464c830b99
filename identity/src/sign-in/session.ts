import { z } from 'zod'

import { requireUnexpired, sealedToken } from '../sealed/sealed-token.ts'
import { refusals } from '../wire/refusals.ts'
import { CHALLENGES, type ChallengeName } from './challenge-names.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

/** Clients forget a sign-in they began after 3 minutes, and so does the server. */
export const SIGN_IN_SECONDS = 180

/** What has been proven on the way. `mfa` stands for any second factor. */
const FACTORS = ['password', 'new-password', 'mfa', 'email', 'sms', 'passkey', 'device', 'custom', 'external'] as const
export type Factor = (typeof FACTORS)[number]

export const FLOWS = ['USER_SRP_AUTH', 'USER_PASSWORD_AUTH', 'USER_AUTH', 'CUSTOM_AUTH'] as const
export type SignInFlow = (typeof FLOWS)[number]

const Content = z.object({
  /** The challenge this session is at: it answers no other. */
  at: z.enum(CHALLENGES),
  /** A made-up one for an unknown name (identity.md 3.10). */
  sub: z.string(),
  /** Ties the sign-in to the password it was begun under. */
  fingerprint: z.string(),
  flow: z.enum(FLOWS),
  proven: z.array(z.enum(FACTORS)),
  deviceKey: z.string().optional(),
  /** What a challenge must remember of itself. */
  data: z.record(z.string(), z.string()).optional(),
})

const sessionToken = sealedToken({ kind: 'session', schema: Content, lifetime: SIGN_IN_SECONDS })

/** The state of a sign-in between two challenges, as the client carries it, sealed. */
export type Session = NonNullable<ReturnType<typeof sessionToken.open>>

/** How far a sign-in has come. */
export type Progress = Pick<Session, 'flow' | 'proven'> & { deviceKey?: string | undefined }

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

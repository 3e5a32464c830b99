import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { openValue, sealValue } from '../sealed/sealed-value.ts'
import { refusals } from '../wire/refusals.ts'
import { CHALLENGES, type ChallengeName } from './challenge-names.ts'

/** Clients forget a sign-in they began after 3 minutes, and so does the server. */
const LIFETIME_SECONDS = 180

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
  /** Seconds since 1970. */
  expiresAt: z.number(),
  nonce: z.string(),
})

/** The state of a sign-in between two challenges, as the client carries it, sealed (identity.md 3.9). */
export type Session = z.infer<typeof Content>

/** How far a sign-in has come. */
export type Progress = Pick<Session, 'flow' | 'proven'> & { deviceKey?: string | undefined }

export type NewSession = Progress & {
  at: ChallengeName
  sub: string
  fingerprint: string
  data?: Record<string, string> | undefined
}

/** Seals a session that answers the challenge `at`, once, within 3 minutes. */
export function makeSession(pool: Pool, made: NewSession): string {
  return sealSession(pool, {
    ...made,
    expiresAt: epochSeconds(pool.clock) + LIFETIME_SECONDS,
    nonce: pool.random.bytes(16).toString('hex'),
  })
}

/** Seals the same state again: same nonce, same end. */
export function sealSession(pool: Pool, session: NewSession & Pick<Session, 'expiresAt' | 'nonce'>): string {
  return sealValue(pool, sealedFor(pool), session).toString('base64url')
}

/** Opens a session. @throws NotAuthorizedException when it was altered, is at another challenge, or is too old. */
export function readSession(pool: Pool, text: string, at: ChallengeName | readonly ChallengeName[]): Session {
  const content = openValue(pool.keyring, sealedFor(pool), Buffer.from(text, 'base64url'))
  const { data: session } = Content.safeParse(content)
  if (!session || ![at].flat().includes(session.at)) throw refusals.invalidSession()
  if (session.expiresAt <= epochSeconds(pool.clock)) throw refusals.expiredSession()
  return session
}

function sealedFor(pool: Pool) {
  return { kind: 'session', poolId: pool.id, clientId: pool.clientId } as const
}

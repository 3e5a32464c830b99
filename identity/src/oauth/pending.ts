import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { openValue, type SealedFor, sealValue } from '../sealed/sealed-value.ts'
import { SCOPES } from './scopes.ts'

/** Long enough for signing up, waiting for the mail, and signing in. */
const LIFETIME_SECONDS = 30 * 60

const Content = z.object({
  clientId: z.string(),
  redirectUri: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  state: z.string().optional(),
  nonce: z.string().optional(),
  challenge: z.string(),
  /** The person must have signed in at this time (seconds since 1970) or later. */
  signedInSince: z.number(),
  expiresAt: z.number(),
  /** Answered once. */
  ticket: z.string(),
})

/**
 * An authorization that waits for the person's answer. The browser carries it, sealed, through the screens, so nothing
 * is kept of those who never answer, and any process can go on from it.
 */
export type Pending = z.output<typeof Content>

export function sealPending(pool: Pool, pending: Omit<Pending, 'expiresAt' | 'ticket'>): string {
  const whole: Pending = {
    ...pending,
    expiresAt: epochSeconds(pool.clock) + LIFETIME_SECONDS,
    ticket: pool.random.bytes(16).toString('hex'),
  }
  return sealValue(pool, sealedFor(pool), whole).toString('base64url')
}

/** What was asked for; undefined when it was altered or waited too long. */
export function openPending(pool: Pool, text: string): Pending | undefined {
  const { data } = Content.safeParse(openValue(pool.keyring, sealedFor(pool), Buffer.from(text, 'base64url')))
  return data && data.expiresAt > epochSeconds(pool.clock) ? data : undefined
}

function sealedFor(pool: Pool): SealedFor {
  return { kind: 'authorization', poolId: pool.id, clientId: pool.clientId }
}

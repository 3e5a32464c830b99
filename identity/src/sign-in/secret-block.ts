import { epochSeconds } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import type { Pool } from '../pool/pool.ts'
import { openValue, type SealedFor, sealValue } from '../sealed/sealed-value.ts'
import type { Handshake } from '../srp/handshake.ts'
import { refusals } from '../wire/refusals.ts'
import { FLOWS, type SignInFlow } from './session.ts'

/** Clients forget a sign-in they began after 3 minutes, and so does the server. */
const LIFETIME_SECONDS = 180

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'))

const Content = z.object({
  sub: z.string(),
  /** Ties the handshake to the password it was begun with. */
  fingerprint: z.string(),
  /** The flow that goes on when the proof is right. */
  flow: z.enum(FLOWS),
  expiresAt: z.number(),
  nonce: z.string(),
  A: bytes,
  b: bytes,
  u: bytes,
})
/** Of a password, or of a device's secret: neither answers for the other. */
type BlockKind = 'device-block' | 'secret-block'

export type SecretBlock = z.infer<typeof Content>

/**
 * The state of an SRP sign-in between its two steps, sealed, as the client carries it (identity.md 3.9). All fields
 * have the same length for known and unknown users.
 */
export function makeSecretBlock(
  pool: Pool,
  kind: BlockKind,
  { sub, fingerprint, flow, handshake }: { sub: string; fingerprint: string; flow: SignInFlow; handshake: Handshake },
): string {
  const content = {
    sub,
    fingerprint,
    flow,
    expiresAt: epochSeconds(pool.clock) + LIFETIME_SECONDS,
    nonce: pool.random.bytes(16).toString('hex'),
    A: handshake.A.toString('base64'),
    b: handshake.b.toString('base64'),
    u: handshake.u.toString('base64'),
  }
  return sealValue(pool, sealedFor(pool, kind), content).toString('base64')
}

/** Opens a block. @throws NotAuthorizedException when it was altered, is another client's, or is too old. */
export function readSecretBlock(pool: Pool, kind: BlockKind, block: Uint8Array): SecretBlock {
  const content = openValue(pool.keyring, sealedFor(pool, kind), block)
  const { data: state } = Content.safeParse(content)
  if (!state) throw refusals.invalidSession()
  if (state.expiresAt <= epochSeconds(pool.clock)) throw refusals.expiredSession()
  return state
}

function sealedFor(pool: Pool, kind: BlockKind): SealedFor {
  return { kind, poolId: pool.id, clientId: pool.clientId }
}

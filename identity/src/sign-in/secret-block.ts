import { z } from 'zod'

import { requireUnexpired, sealedToken } from '../sealed/sealed-token.ts'
import type { Handshake } from '../srp/handshake.ts'
import { refusals } from '../wire/refusals.ts'
import { FLOWS, SIGN_IN_SECONDS, type SignInFlow } from './session.ts'
import type { Pool, SealPorts } from '../base/ports.ts'

const bytes = z.codec(z.base64(), z.instanceof(Buffer), {
  decode: (text) => Buffer.from(text, 'base64'),
  encode: (buffer) => buffer.toString('base64'),
})

const Content = z.object({
  sub: z.string(),
  /** Ties the handshake to the password it was begun with. */
  fingerprint: z.string(),
  /** The flow that continues when the proof is right. */
  flow: z.enum(FLOWS),
  A: bytes,
  b: bytes,
  u: bytes,
})

/** A block of a password is not accepted for a device, nor the other way round. */
const BLOCKS = {
  'device-block': sealedToken({
    kind: 'device-block',
    schema: Content,
    lifetime: SIGN_IN_SECONDS,
    encoding: 'base64',
  }),
  'secret-block': sealedToken({
    kind: 'secret-block',
    schema: Content,
    lifetime: SIGN_IN_SECONDS,
    encoding: 'base64',
  }),
} as const
type BlockKind = keyof typeof BLOCKS

export type SecretBlock = NonNullable<ReturnType<(typeof BLOCKS)[BlockKind]['open']>>

/**
 * The state of an SRP sign-in between its two steps, sealed, as the client carries it. All fields have the same length
 * for known and unknown users.
 */
export function makeSecretBlock(
  pool: SealPorts,
  kind: BlockKind,
  { handshake, ...content }: { sub: string; fingerprint: string; flow: SignInFlow; handshake: Handshake },
): string {
  return BLOCKS[kind].seal(pool, { ...content, ...handshake })
}

/** Opens a block. @throws NotAuthorizedException when it was altered, is another client's, or is too old. */
export function readSecretBlock(
  pool: Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring'>,
  kind: BlockKind,
  sealed: Uint8Array,
): SecretBlock {
  const block = BLOCKS[kind].openAtAnyAge(pool, sealed)
  if (!block) throw refusals.invalidSession()
  requireUnexpired(pool, block)
  return block
}

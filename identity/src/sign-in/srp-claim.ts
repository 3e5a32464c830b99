import { timingSafeEqual } from 'node:crypto'

import { claimSignature, sessionKey } from '../srp/handshake.ts'
import type { PasswordOwner } from '../srp/verifier.ts'
import { fingerprintOf } from '../users/password-verifier.ts'
import { invalidParameter, refusals } from '../wire/refusals.ts'
import type { SecretBlock } from './secret-block.ts'

const TIMESTAMP =
  /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{1,2} \d\d:\d\d:\d\d \w{3,5} \d{4}$/u

/** What a client sends to prove that it knows a password, or a device's secret (identity.md 3.4). */
export type Claim = { username: string; secretBlock: Buffer; signature: Buffer; timestamp: string }

/** @throws InvalidParameterException naming what is missing. */
export function readClaim(responses: ReadonlyMap<string, string>): Claim {
  const required = (name: string) => {
    const value = responses.get(name)
    if (value === undefined) throw refusals.missing(name)
    return value
  }
  const timestamp = required('TIMESTAMP')
  // Only its form matters: it is part of the signed text, and browsers with a wrong clock must get in.
  if (!TIMESTAMP.test(timestamp)) {
    throw invalidParameter('TIMESTAMP format should be EEE MMM d HH:mm:ss z yyyy in english.')
  }
  return {
    username: required('USERNAME'),
    secretBlock: Buffer.from(required('PASSWORD_CLAIM_SECRET_BLOCK'), 'base64'),
    signature: Buffer.from(required('PASSWORD_CLAIM_SIGNATURE'), 'base64'),
    timestamp,
  }
}

/** Whether the claim is signed with the secret behind the verifier, the one the handshake was begun with. */
export async function isProof(
  claim: Claim,
  state: SecretBlock,
  { owner, salt, verifier }: { owner: PasswordOwner; salt: Uint8Array; verifier: Uint8Array },
): Promise<boolean> {
  const key = await sessionKey(state, verifier)
  if (!key) return false
  const expected = claimSignature(key, owner, claim)
  const isSigned = claim.signature.length === expected.length && timingSafeEqual(claim.signature, expected)
  return isSigned && state.fingerprint === fingerprintOf(salt)
}

import { spendQuota } from '../limits/quota.ts'
import { decide } from '../pool/decide.ts'
import type { UserRow } from '../tables.ts'
import { uuidBytes } from '../tokens/uuid-bytes.ts'
import { addPasskeyChallenge, listPasskeys } from './passkey-store.ts'
import { requireRelyingParty } from './relying-party.ts'
import { transportsOf } from './transports.ts'
import { loadWebauthn } from './load-webauthn.ts'
import type { Pool } from '../base/ports.ts'

type Ports = Pick<Pool, 'clock' | 'database' | 'passkeys' | 'productName' | 'random' | 'relyingParty'>

const CHALLENGE_BYTES = 32
const CHALLENGE_LIFETIME_MS = 5 * 60_000
/** How long the browser waits for its user. */
export const PASSKEY_TIMEOUT_MS = 60_000
/** ES256 and RS256, which between them all authenticators have (identity.md 2.11). */
export const PASSKEY_ALGORITHMS = [-7, -257]

/** What the browser is to make a passkey with. The challenge is good once, for five minutes. */
export async function startPasskeyRegistration(pool: Ports, user: UserRow): Promise<object> {
  const party = requireRelyingParty(pool)
  const challenge = Uint8Array.from(pool.random.bytes(CHALLENGE_BYTES))
  const expires = new Date(pool.clock.now().getTime() + CHALLENGE_LIFETIME_MS)
  const known = await decide(pool, async (trx) => {
    const refusal = await spendQuota(pool, trx, 'StartWebAuthnRegistration', user.sub)
    if (refusal) return refusal
    await addPasskeyChallenge(trx, {
      sub: user.sub,
      challenge: Buffer.from(challenge).toString('base64url'),
      expires_at: expires.toISOString(),
    })
    return await listPasskeys(trx, user.sub)
  })
  const { generateRegistrationOptions } = await loadWebauthn()
  return await generateRegistrationOptions({
    rpID: party.id,
    rpName: pool.productName,
    userID: Uint8Array.from(uuidBytes(user.sub)),
    userName: user.username,
    userDisplayName: user.username,
    challenge,
    timeout: PASSKEY_TIMEOUT_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
    excludeCredentials: known.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'preferred' },
  })
}

import type { PasskeyRow } from '../tables.ts'
import { PASSKEY_TIMEOUT_MS } from './start-registration.ts'
import { transportsOf } from './transports.ts'
import { loadWebauthn } from './load-webauthn.ts'
import type { RelyingParty } from '../base/ports.ts'

/** CREDENTIAL_REQUEST_OPTIONS: JSON for `navigator.credentials.get`. @param challenge base64url */
export async function requestOptions(
  party: RelyingParty,
  passkeys: readonly PasskeyRow[],
  challenge: string,
): Promise<string> {
  const { generateAuthenticationOptions } = await loadWebauthn()
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    challenge: Uint8Array.from(Buffer.from(challenge, 'base64url')),
    timeout: PASSKEY_TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: passkeys.map((row) => ({ id: row.credential_id, transports: transportsOf(row) })),
  })
  return JSON.stringify(options)
}

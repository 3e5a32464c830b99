import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

import { recordEvent } from '../audit/record-event.ts'
import { decide } from '../pool/decide.ts'
import type { PasskeyRow, UserRow } from '../tables.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { refusals } from '../wire/refusals.ts'
import { readClientData } from './client-data.ts'
import { passkeyName } from './passkey-name.ts'
import { addPasskey, listPasskeys, takePasskeyChallenge } from './passkey-store.ts'
import { requireRelyingParty } from './relying-party.ts'
import { PASSKEY_ALGORITHMS } from './start-registration.ts'
import { transportsColumn } from './transports.ts'
import { loadWebauthn } from './load-webauthn.ts'
import type { EventPorts, Pool, RelyingParty } from '../base/ports.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'passkeys' | 'relyingParty'>

const MAX_PASSKEYS = 20
/** In bytes (WebAuthn, 7.1). */
const LONGEST_ID = 1023

const text = z.string()

/** What browsers give as RegistrationResponseJSON, as far as it is looked at. */
export const RegistrationResponse = z.object({
  id: z.base64url(),
  rawId: z.base64url(),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    // Zod would count the length of what is no array, too.
    transports: z
      .array(text)
      .refine((transports) => transports.length <= 20)
      .optional(),
  }),
})
type Registration = z.infer<typeof RegistrationResponse>

/**
 * Keeps the passkey that a browser has made for the user. The challenge is used up before anything is looked at.
 * @throws WebAuthn* exceptions that say what is wrong with it.
 */
export async function completePasskeyRegistration(
  pool: Ports,
  user: UserRow,
  registration: Registration,
): Promise<void> {
  const party = requireRelyingParty(pool)
  const clientData = readClientData(registration.response.clientDataJSON)
  if (!clientData) throw unsupported()
  const key = { sub: user.sub, challenge: clientData.challenge }
  const now = pool.clock.now().toISOString()
  const isAsked = await pool.database.transaction(async (trx) => await takePasskeyChallenge(trx, key, now))
  if (!isAsked) throw new CognitoError('WebAuthnChallengeNotFoundException', 'The challenge is unknown or too old.')
  if (clientData.origin !== party.origin || clientData.crossOrigin === true) {
    throw new CognitoError('WebAuthnOriginNotAllowedException', 'The passkey was made on another site.')
  }
  const passkey = await verified(registration, clientData.challenge, party)
  await decide(pool, async (trx) => {
    if ((await listPasskeys(trx, user.sub)).length >= MAX_PASSKEYS) return refusals.attemptLimit()
    const isNew = await addPasskey(trx, { ...passkey, sub: user.sub, created_at: now, used_at: null })
    if (!isNew) return unsupported()
    await recordEvent(pool, trx, user, 'passkey-added')
    return undefined
  })
  pool.mail.wake()
}

async function verified(
  registration: Registration,
  expectedChallenge: string,
  party: RelyingParty,
): Promise<Omit<PasskeyRow, 'sub' | 'created_at' | 'used_at'>> {
  const { authenticatorAttachment: attachment, response } = registration
  const { verifyRegistrationResponse } = await loadWebauthn()
  const { registrationInfo } = await verifyRegistrationResponse({
    response: { ...registration, clientExtensionResults: {} } as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: PASSKEY_ALGORITHMS,
  }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'UnexpectedRPIDHash') {
      throw new CognitoError('WebAuthnRelyingPartyMismatchException', 'The passkey was made for another site.')
    }
    // Whatever else the library says is about bytes that the browser sent.
    throw unsupported()
  })
  if (!registrationInfo || registrationInfo.credential.id !== registration.id) throw unsupported()
  const { aaguid, credential } = registrationInfo
  if (Buffer.from(credential.id, 'base64url').length > LONGEST_ID) throw unsupported()
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey),
    counter: credential.counter,
    name: passkeyName(aaguid, attachment),
    rp_id: party.id,
    attachment: attachment ?? null,
    transports: transportsColumn(response.transports ?? []),
  }
}

function unsupported(): CognitoError {
  return new CognitoError('WebAuthnCredentialNotSupportedException', 'This passkey cannot be used here.')
}

import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

import { inFuture } from '@marquee/platform/runtime/clock'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'

import { recordEvent } from '../../base/audit/record-event.ts'
import { CognitoError, commitOrRefuse, refusals } from '../../base/errors/refusals.ts'
import { spendQuota } from '../../base/limits/user-limits.ts'
import { uuidBytes } from '../../base/names.ts'
import type { EventPorts, Pool, RelyingParty } from '../../base/ports.ts'
import type { PasskeyRow, UserRow } from '../../base/tables.ts'
import { addPasskey, addPasskeyChallenge, listPasskeys, takePasskeyChallenge } from './passkey-store.ts'
import { loadWebauthn, readClientData, requireRelyingParty, transportsColumn, transportsOf } from './webauthn.ts'

type Ports = EventPorts & Pick<Pool, 'database' | 'passkeys' | 'relyingParty'>

const CHALLENGE_BYTES = 32
const CHALLENGE_LIFETIME_MS = 5 * MINUTE_MS
/** How long the browser waits for its user. */
export const PASSKEY_TIMEOUT_MS = MINUTE_MS
/** ES256 and RS256: every authenticator supports one of them. */
const PASSKEY_ALGORITHMS = [-7, -257]

/** The creation options for the browser. The challenge works once, for five minutes. */
export async function startPasskeyRegistration(pool: Ports, user: UserRow): Promise<object> {
  const party = requireRelyingParty(pool)
  const challenge = Uint8Array.from(pool.random.bytes(CHALLENGE_BYTES))
  const expires = inFuture(pool.clock, CHALLENGE_LIFETIME_MS)
  const known = await commitOrRefuse(pool, async (trx) => {
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

const MAX_PASSKEYS = 20
/** In bytes (WebAuthn, 7.1). */
const LONGEST_ID = 1023

const text = z.string()

/** The fields of RegistrationResponseJSON that are checked. */
export const RegistrationResponse = z.object({
  id: z.base64url(),
  rawId: z.base64url(),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
  response: z.object({
    clientDataJSON: text,
    attestationObject: text,
    // Zod checks the length also of values that are not arrays.
    transports: z
      .array(text)
      .refine((transports) => transports.length <= 20)
      .optional(),
  }),
})
type Registration = z.infer<typeof RegistrationResponse>

/**
 * Stores the passkey that a browser has made for the user. The challenge is used up before any other check.
 * @throws WebAuthn* exceptions that name the fault.
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
  await commitOrRefuse(pool, async (trx) => {
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
    // All other errors of the library are about bytes that the browser sent.
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

/** Well-known providers by the AAGUID of their passkeys. */
const PROVIDERS: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b48cb575c5d4': 'Google Password Manager',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
}

/** The initial name of a passkey. */
function passkeyName(aaguid: string, attachment: string | undefined): string {
  return PROVIDERS[aaguid] ?? (attachment === 'cross-platform' ? 'Security key' : 'Passkey')
}

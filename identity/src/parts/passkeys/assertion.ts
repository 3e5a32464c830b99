import { createECDH } from 'node:crypto'

import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

import { fakeBytes } from '../../base/decoys.ts'
import { invalidParameter } from '../../base/errors/refusals.ts'
import { uuidBytes } from '../../base/names.ts'
import type { Pool, RelyingParty } from '../../base/ports.ts'
import type { PasskeyRow } from '../../base/tables.ts'
import { PASSKEY_TIMEOUT_MS } from './registration.ts'
import { loadWebauthn, readClientData, transportsOf } from './webauthn.ts'

const text = z.string()

const AssertionResponse = z.object({
  id: z.base64url(),
  rawId: z.base64url(),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: text,
    authenticatorData: text,
    signature: text,
    userHandle: text.nullish(),
  }),
})
type Assertion = z.infer<typeof AssertionResponse>

/** Reads CREDENTIAL, the JSON of a browser. @throws InvalidParameterException when it is malformed. */
export function readAssertion(credential: string): Assertion {
  try {
    return AssertionResponse.parse(JSON.parse(credential))
  } catch {
    throw invalidParameter('CREDENTIAL is not the answer of a browser that asked for a passkey.')
  }
}

/**
 * Checks that the passkey has signed this challenge for this site, with a counter that moved on.
 * @returns the new counter, and whether the authenticator verified the user; undefined when a check fails
 */
export async function verifyAssertion(
  party: RelyingParty,
  passkey: PasskeyRow,
  { assertion, challenge }: { assertion: Assertion; challenge: string },
): Promise<{ counter: number; isUserVerified: boolean } | undefined> {
  const { userHandle } = assertion.response
  const isForUser = !userHandle || userHandle === Buffer.from(uuidBytes(passkey.sub)).toString('base64url')
  if (!isForUser || readClientData(assertion.response.clientDataJSON)?.crossOrigin === true) return undefined
  try {
    const { verifyAuthenticationResponse } = await loadWebauthn()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(passkey.public_key),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    })
    if (!verified) return undefined
    return { counter: authenticationInfo.newCounter, isUserVerified: authenticationInfo.userVerified }
  } catch {
    // The library throws for any mismatch in what the browser sent.
    return undefined
  }
}

const ID_BYTES = 20
/** CBOR of an ES256 key up to its two coordinates. */
const KEY_START = Buffer.from('a5010203262001215820', 'hex')
const KEY_MIDDLE = Buffer.from('225820', 'hex')

/**
 * The decoy passkey of an unknown name, always the same. No private key exists; signatures are checked against it like
 * a real one.
 */
export function fakePasskey(pool: Pick<Pool, 'id' | 'keyring'>, sub: string): PasskeyRow {
  const curve = createECDH('prime256v1')
  const secret = fakeBytes(pool, 'passkey', sub)
  // Any number below the order of the group works, and the top byte ensures that.
  secret[0] = 1
  curve.setPrivateKey(secret)
  const point = curve.getPublicKey()
  return {
    sub,
    credential_id: fakeBytes(pool, 'passkey id', sub).subarray(0, ID_BYTES).toString('base64url'),
    public_key: Buffer.concat([KEY_START, point.subarray(1, 33), KEY_MIDDLE, point.subarray(33)]),
    counter: 0,
    name: '',
    rp_id: '',
    attachment: null,
    transports: 'hybrid,internal',
    created_at: '',
    used_at: null,
  }
}

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

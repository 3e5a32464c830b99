import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

import type { PasskeyRow } from '../tables.ts'
import { uuidBytes } from '../tokens/uuid-bytes.ts'
import { invalidParameter } from '../wire/refusals.ts'
import { readClientData } from './client-data.ts'
import { loadWebauthn } from './load-webauthn.ts'
import type { RelyingParty } from '../base/ports.ts'

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

/** Reads CREDENTIAL, the JSON a browser made. @throws InvalidParameterException when it is something else. */
export function readAssertion(credential: string): Assertion {
  try {
    return AssertionResponse.parse(JSON.parse(credential))
  } catch {
    throw invalidParameter('CREDENTIAL is not the answer of a browser that asked for a passkey.')
  }
}

/**
 * Checks that the passkey has signed this challenge for this site, with a counter that moved on.
 * @returns the new counter, and whether the authenticator made sure who is there; undefined for anything less
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
    // The library throws for whatever does not fit; all of it is what the browser sent.
    return undefined
  }
}

import { isIP } from 'node:net'

import { CognitoError } from '../wire/cognito-error.ts'
import type { Pool, RelyingParty } from '../base/ports.ts'

/**
 * The relying party of an installation, where browsers allow passkeys at all: under https or on localhost, and never
 * for a bare IP address.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
  const isAddress = isIP(hostname.replaceAll(/[[\]]/gu, '')) !== 0
  return isSecure && !isAddress ? { id: hostname, origin } : undefined
}

/** @throws WebAuthnNotEnabledException, WebAuthnConfigurationMissingException where there are no passkeys. */
export function requireRelyingParty(pool: Pick<Pool, 'passkeys' | 'relyingParty'>): RelyingParty {
  if (!pool.passkeys) throw new CognitoError('WebAuthnNotEnabledException', 'Passkeys are switched off.')
  if (!pool.relyingParty) {
    const reason = 'Passkeys need a public address with https and a name.'
    throw new CognitoError('WebAuthnConfigurationMissingException', reason)
  }
  return pool.relyingParty
}

/** The relying party passkeys sign in at, if they can. */
export function usableRelyingParty(pool: Pick<Pool, 'passkeys' | 'relyingParty'>): RelyingParty | undefined {
  return pool.passkeys ? pool.relyingParty : undefined
}

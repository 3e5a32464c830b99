import { isIP } from 'node:net'

import type * as Webauthn from '@simplewebauthn/server'
import { z } from 'zod'

import { CognitoError } from '../../base/errors/refusals.ts'
import type { Pool, RelyingParty } from '../../base/ports.ts'
import type { PasskeyRow } from '../../base/tables.ts'

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

/** The relying party for sign-ins with passkeys, if they are possible. */
export function usableRelyingParty(pool: Pick<Pool, 'passkeys' | 'relyingParty'>): RelyingParty | undefined {
  return pool.passkeys ? pool.relyingParty : undefined
}

const ClientData = z.object({
  type: z.string(),
  challenge: z.base64url(),
  origin: z.string(),
  crossOrigin: z.boolean().optional(),
})

/** The signed client data: origin, type and challenge. */
export type ClientData = z.infer<typeof ClientData>

/** Reads `clientDataJSON`, base64url of JSON; undefined when it is malformed. */
export function readClientData(text: string): ClientData | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))).data
  } catch {
    return undefined
  }
}

const KNOWN: ReadonlySet<string> = new Set(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** How browsers reach the authenticator of a passkey. */
export function transportsOf({ transports }: Pick<PasskeyRow, 'transports'>): string[] {
  return transports.split(',').filter((name) => name !== '')
}

/** The column for the transports that a browser reports; unknown ones are left out. */
export function transportsColumn(transports: readonly string[]): string {
  return [...new Set(transports)].filter((name) => KNOWN.has(name)).join(',')
}

/** A passkey as clients list it; `CreatedAt` is seconds since 1970. */
export function presentPasskey(passkey: PasskeyRow): object {
  return {
    CredentialId: passkey.credential_id,
    FriendlyCredentialName: passkey.name,
    RelyingPartyId: passkey.rp_id,
    ...(passkey.attachment !== null && { AuthenticatorAttachment: passkey.attachment }),
    AuthenticatorTransports: transportsOf(passkey),
    CreatedAt: new Date(passkey.created_at).getTime() / 1000,
  }
}

/** Loaded at the first passkey: it is a sixth of the idle server's memory, and many installations have no passkeys. */
export async function loadWebauthn(): Promise<typeof Webauthn> {
  return await import('@simplewebauthn/server')
}

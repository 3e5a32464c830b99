import type { PasskeyRow } from '../tables.ts'
import { transportsOf } from './transports.ts'

/** A passkey as clients list it; `CreatedAt` is seconds since 1970 (identity.md 2.11). */
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

import { type Database, withTables } from '@marquee/platform/database/database'

import type { EventKind } from './audit/event-kinds.ts'
import type { LastingPurpose } from './sealed/keyring.ts'

/**
 * A user whose e-mail is not proven yet is UNCONFIRMED and cannot sign in; one with a temporary password must choose
 * another one; one whose password an administrator has called off must reset it by mail.
 */
type UserStatus = 'UNCONFIRMED' | 'CONFIRMED' | 'FORCE_CHANGE_PASSWORD' | 'RESET_REQUIRED'

export type UserRow = {
  sub: string
  username: string
  email: string
  email_key: string
  email_verified: number
  status: UserStatus
  salt: Uint8Array
  verifier_box: Uint8Array
  key_id: string
  created_at: string
  updated_at: string
  signed_in_at: string | null
  enabled: number
  /** Until when a temporary password is good. */
  temporary_until: string | null
  /** A new address or number that is not proven yet; the old one stays in force until it is. */
  pending_email: string | null
  /** Proven; in the form of E.164. */
  phone_number: string | null
  pending_phone: string | null
  /** The second factors that are switched on, by the names of their challenges, separated by commas. */
  mfa_methods: string
  mfa_preferred: string | null
}

/** A `pending` secret becomes the `verified` one, which it replaces, with the first right code. */
export type TotpRow = {
  sub: string
  state: 'pending' | 'verified'
  secret_box: Uint8Array
  key_id: string
  last_step: number
  friendly_name: string | null
  created_at: string
}

export type SessionRow = {
  sub: string
  origin_jti: string
  client_id: string
  event_id: string
  auth_time: number
  expires_at: string
  revoked_at: string | null
  /** The device it was signed in on, known or offered to be; null while devices are not tracked. */
  device_key: string | null
  /** Of a device that is only offered so far: what its verifier will be made with. */
  device_group_key: string | null
  /** What it was signed in with, coarsely; null for one from before that was kept. */
  client: string | null
  /** When new tokens were asked for last. */
  used_at: string | null
}

/** Something that was done to an account. `id` sorts by time. */
export type SecurityEventRow = {
  sub: string
  id: string
  kind: EventKind
  client: string
  at: string
  /** How often it was; more than once only in a run. */
  times: number
  /** Names the run of the user's that further events of the kind are counted in; null for what stands alone. */
  run: string | null
}

/** A device that has confirmed a secret of its own. `remembered` devices replace a second factor. */
export type DeviceRow = {
  sub: string
  device_key: string
  group_key: string
  name: string | null
  remembered: number
  salt: Uint8Array
  verifier_box: Uint8Array
  key_id: string
  created_at: string
  updated_at: string
  signed_in_at: string
}

/** `credential_id` is base64url, `public_key` COSE, `transports` names separated by commas. */
export type PasskeyRow = {
  sub: string
  credential_id: string
  public_key: Uint8Array
  counter: number
  name: string
  rp_id: string
  attachment: string | null
  transports: string
  created_at: string
  used_at: string | null
}

export type RefreshTokenRow = {
  sub: string
  origin_jti: string
  token_hash: Uint8Array
  expires_at: string
  replaced_at: string | null
}

export type CodeRow = {
  sub: string
  purpose: string
  mac: Uint8Array
  tries: number
  expires_at: string
  used_at: string | null
}

/** An authorization code on its way to another tool; `origin_jti` is the session it became, null until it did. */
export type OAuthCodeRow = {
  sub: string
  code_hash: Uint8Array
  client_id: string
  redirect_uri: string
  scope: string
  nonce: string | null
  challenge: string
  /** Of the password at the time: with another one the code is void. */
  fingerprint: string
  auth_time: number
  expires_at: string
  origin_jti: string | null
}

/** The scopes of the tool that a session belongs to, separated by spaces. */
export type OAuthGrantRow = { sub: string; origin_jti: string; client_id: string; scope: string; expires_at: string }

/** The person of the external provider's that an account belongs to; `owner_key` names them by issuer and subject. */
export type ExternalLinkRow = { sub: string; owner_key: string; issuer: string; subject: string; created_at: string }

/** All times are ISO text in UTC, all flags 0 or 1. */
export type IdentityTables = {
  identity_pool: { slot: string; user_pool_id: string; client_id: string; created_at: string }
  identity_signing_key: {
    token_use: string
    generation: number
    kid: string
    public_jwk: string
    private_box: Uint8Array
    key_id: string
    created_at: string
    /** From when on it signs; empty for keys from before there were others. */
    signs_from: string
  }
  identity_lasting_key: { purpose: LastingPurpose; box: Uint8Array; key_id: string; created_at: string }
  identity_user: UserRow
  identity_login_name: { name_key: string; sub: string; kind: 'username' | 'email' }
  identity_pending_email: { email_key: string; sub: string; created_at: string }
  identity_code: CodeRow
  identity_session: SessionRow
  identity_ended_session: { origin_jti: string; ended_at: string }
  identity_refresh_token: RefreshTokenRow
  identity_lockout: { sub: string; failures: number; last_failure_at: string; locked_until: string }
  identity_quota: { sub: string; operation: string; recent: string; last_at: string; version: number }
  identity_totp: TotpRow
  identity_recovery_code: { sub: string; mac: Uint8Array; created_at: string }
  identity_sign_in: { sub: string; nonce: string; answers: number; expires_at: string }
  identity_device: DeviceRow
  identity_passkey: PasskeyRow
  identity_passkey_owner: { credential_id: string; sub: string }
  identity_passkey_challenge: { sub: string; challenge: string; expires_at: string }
  identity_security_event: SecurityEventRow
  identity_external_link: ExternalLinkRow
  identity_external_owner: { owner_key: string; sub: string }
  identity_oauth_code: OAuthCodeRow
  identity_oauth_grant: OAuthGrantRow
  identity_used_nonce: { nonce: string; expires_at: string }
}

/** The pool's tables, in or out of a transaction. */
export type Db = Database<IdentityTables>['read']

/** A connection seen as holding these tables, for statements that are built once. */
export const identityTables = withTables<IdentityTables>

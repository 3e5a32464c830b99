import { type Database, withTables } from '@marquee/platform/database/database'

import type { EventKind } from './events/event-kinds.ts'
import type { LastingPurpose } from './keys/keyring.ts'

/**
 * An UNCONFIRMED user has no verified e-mail and cannot sign in. FORCE_CHANGE_PASSWORD: a temporary password must be
 * replaced. RESET_REQUIRED: an administrator voided the password, which must be reset by mail.
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
  /** The end of a temporary password. */
  temporary_until: string | null
  /** A new address or number that is not verified yet; the old one stays valid until then. */
  pending_email: string | null
  /** Verified, in E.164 form. */
  phone_number: string | null
  pending_phone: string | null
  /** The enabled second factors, as names of challenges separated by commas. */
  mfa_methods: string
  mfa_preferred: string | null
}

/** The first right code of a `pending` secret makes it the `verified` one. */
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
  /** The device of the session, confirmed or offered; null without device tracking. */
  device_key: string | null
  /** The group key of a device that is not confirmed yet, from which its verifier is made. */
  device_group_key: string | null
  /** The coarse name of the program; null for sessions from before it was stored. */
  client: string | null
  /** The time of the last refresh. */
  used_at: string | null
}

/** A security event of an account. `id` sorts by time. */
export type SecurityEventRow = {
  sub: string
  id: string
  kind: EventKind
  client: string
  at: string
  /** The number of occurrences; more than one only in a run. */
  times: number
  /** The run in which further events of this kind are counted; null for a single event. */
  run: string | null
}

/** A confirmed device. `remembered` devices replace a second factor. */
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

/** An authorization code of another tool; `origin_jti` is its session, null until the code is used. */
export type OAuthCodeRow = {
  sub: string
  code_hash: Uint8Array
  client_id: string
  redirect_uri: string
  scope: string
  nonce: string | null
  challenge: string
  /** The fingerprint of the password. A password change voids the code. */
  fingerprint: string
  auth_time: number
  expires_at: string
  origin_jti: string | null
}

/** The scopes of the tool that a session belongs to, separated by spaces. */
export type OAuthGrantRow = { sub: string; origin_jti: string; client_id: string; scope: string; expires_at: string }

/** The provider user linked to an account; `owner_key` is made from issuer and subject. */
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
    /** The time when it starts to sign; empty for the first keys. */
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

/** The keys of the rows of deleted users. Names are usernames and addresses in the form of `nameKey`. */
type DeletedUsers = Record<'subs' | 'nameKeys' | 'emailKeys', readonly string[]>

/** The rows that a store removes. Each store with such rows has one in `CLEANUPS` of the flow that removes users. */
export type Cleanup = {
  removeUsers?: (trx: Db, users: DeletedUsers) => Promise<void>
  /** `ago` is the ISO time that many milliseconds ago. */
  removeExpired?: (trx: Db, ago: (ms: number) => string) => Promise<void>
}

/** A connection typed with these tables, for statements that are built once. */
export const identityTables = withTables<IdentityTables>

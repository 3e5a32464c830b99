import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import type { CustomChallenges } from '../custom/triggers.ts'
import type { RelyingParty } from '../passkeys/relying-party.ts'
import type { IdentityPool } from '../identity-pool/identity-pool.ts'
import type { Provider } from '../external/provider.ts'
import type { OAuthClient } from '../oauth/clients.ts'
import type { MailBudget } from '../limits/mail-budget.ts'
import type { MfaPolicy } from '../ports.ts'
import type { Keyring } from '../sealed/keyring.ts'
import type { OnSignIn } from '../sign-in/count-sign-in.ts'
import type { AdminKey } from '../signature/require-signature.ts'
import type { IdentityTables } from '../tables.ts'
import type { EndedSessions } from '../tokens/ended-sessions.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'

/** Everything the parts of the user pool work with. A function names the few ports it uses; only composition sees all. */
export type Pool = {
  /** Like `us-east-1_AbC123xyz`. */
  readonly id: string
  /** The part of the id after the underscore; it is part of every verifier, so it never changes. */
  readonly name: string
  readonly clientId: string
  /** The `iss` of every token; JWKS and discovery document lie under it. */
  readonly issuer: string
  /** Where browsers reach this installation, without a last slash. */
  readonly publicUrl: string
  /** The provider of somebody else's with which people may sign in. */
  readonly external: Provider | undefined
  readonly oauthClients: readonly OAuthClient[]
  readonly mfa: MfaPolicy
  readonly verification: 'code' | 'link'
  readonly tracksDevices: boolean
  readonly passkeys: boolean
  readonly customChallenges: CustomChallenges | undefined
  readonly customTimeoutMs: number
  /** Whom passkeys are made for; undefined where browsers do not allow them. */
  readonly relyingParty: RelyingParty | undefined
  /** Undefined where nobody may ask as an administrator over the wire. */
  readonly adminKey: AdminKey | undefined
  /** Undefined where there is none. */
  readonly identityPool: IdentityPool | undefined
  readonly onUserDeleted: (trx: AnyDb, sub: string) => Promise<void>
  readonly onSignIn: OnSignIn
  readonly productName: string
  /** The header of the call that is being answered; empty where there is none. */
  readonly userAgent: string
  readonly database: Database<IdentityTables>
  readonly clock: Clock
  readonly random: Random
  readonly mail: MailQueue
  readonly limiter: RateLimiter
  readonly mailBudget: MailBudget
  readonly logger: Logger
  readonly keyring: Keyring
  readonly signingKeys: SigningKeys
  readonly endedSessions: EndedSessions
}

/** Seal and open state that the client carries. */
export type SealPorts = Pick<Pool, 'clientId' | 'clock' | 'id' | 'keyring' | 'random'>
/** Verify tokens of this pool. */
export type VerifyPorts = Pick<Pool, 'clientId' | 'clock' | 'database' | 'issuer' | 'signingKeys'>
/** Count a failed attempt. */
export type AttemptPorts = Pick<Pool, 'clock' | 'random' | 'userAgent'>
/** Note a security event and notify the user by mail. */
export type EventPorts = Pick<Pool, 'clock' | 'mail' | 'productName' | 'random' | 'userAgent'>
/** Make a code and send it. */
export type CodePorts = Pick<Pool, 'clock' | 'keyring' | 'mail' | 'mailBudget' | 'productName' | 'random'>

/** The same ports for the call of one client. */
export function withCaller<Ports extends object>(
  ports: Ports,
  { headers }: { headers: { 'user-agent'?: string | undefined } },
): Ports & Pick<Pool, 'userAgent'> {
  return { ...ports, userAgent: headers['user-agent'] ?? '' }
}

import type { webcrypto } from 'node:crypto'

import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { JWK, JWTVerifyGetKey } from 'jose'

import type { CustomChallenges } from './custom-challenges.ts'
import type { MailBudget } from './limits/mail-budget.ts'
import type { Keyring } from './sealed/keyring.ts'
import type { AdminKey, ExternalProvider, MfaPolicy, OAuthClient, OnSignIn } from './settings.ts'
import type { IdentityTables } from './tables.ts'

/** Whom passkeys are made for: `id` is the host without port, `origin` what browsers sign. */
export type RelyingParty = { id: string; origin: string }

/** The identity pool beside the user pool. `id` is like `us-east-1:<uuid>`. */
export type IdentityPool = { readonly id: string; readonly allowsGuests: boolean }

/** What a sign-in there is known by when the browser comes back. */
type FlowSecrets = { state: string; nonce: string; verifier: string }

/** Who the provider says has signed in. `email` only if the provider has proven it. */
export type ExternalPerson = {
  issuer: string
  subject: string
  email?: string | undefined
  name?: string | undefined
}

export type Provider = {
  settings: ExternalProvider
  /** Where the browser is sent to sign in. @throws {ExternalUnavailable} */
  signInUrl: (flow: FlowSecrets) => Promise<string>
  /** Who came back by this URL of ours. @throws when the answer does not belong to the flow, or is not the provider's. */
  personOf: (url: URL, flow: FlowSecrets) => Promise<ExternalPerson>
  /** Where the browser is sent to sign out there. @throws {ExternalUnavailable} also where it has no such page. */
  signOutUrl: () => Promise<string>
}

export const TOKEN_USES = ['id', 'access'] as const
export type TokenUse = (typeof TOKEN_USES)[number]

/** One key pair for id tokens and one for access tokens, so that neither can be taken for the other. */
export type SigningKeys = {
  /** What the JWKS document publishes: also keys that do not sign yet, or no longer. */
  published: () => readonly JWK[]
  /** What signs new tokens of that use. */
  signer: (use: TokenUse) => { kid: string; privateKey: webcrypto.CryptoKey }
  /** Finds the public key of a token of that use. */
  verifier: (use: TokenUse) => JWTVerifyGetKey
  /** Reads the keys again: another process may have made new ones. */
  reload: () => Promise<void>
  /** The same, for who met an unknown key: at most once in ten seconds. False when it was too soon. */
  reloadIfOld: () => Promise<boolean>
}

/**
 * The sessions that have ended, for as long as an id token of theirs could still be around. It makes a sign-out hold for
 * tokens that were verified before and are remembered: at once where it happened here or was heard on the bus, and after
 * half a second where the bus does not reach, as from an operator's command or while Redis is gone.
 */
export type EndedSessions = {
  /** Called after the commit. */
  add: (originJtis: readonly string[]) => void
  has: (originJti: string) => boolean
  /** Looks into the database, unless that was done just now. */
  refresh: () => Promise<void>
  /** Calls the listener once when the session ends, also if it has ended before, until the returned function is called. */
  onEnd: (originJti: string, listener: () => void) => () => void
}

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

import type { KeyObject } from 'node:crypto'

import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import { type Caller, callerOf } from '@marquee/platform/http/caller'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { JWK, JWTVerifyGetKey } from 'jose'

import type { CustomChallenges } from './custom-challenges.ts'
import type { MailBudget } from './mails/mail-budget.ts'
import type { Keyring } from './keys/keyring.ts'
import type {
  AdminKey,
  Admission,
  ExternalProvider,
  MfaPolicy,
  OAuthClient,
  OnSignIn,
  Registration,
} from './settings.ts'
import type { IdentityTables } from './tables.ts'

/** The relying party of passkeys: `id` is the host without port, `origin` what browsers sign. */
export type RelyingParty = { id: string; origin: string }

/** The identity pool beside the user pool. `id` is like `us-east-1:<uuid>`. */
export type IdentityPool = { readonly id: string; readonly allowsGuests: boolean }

/** The values that identify a sign-in at the provider when the browser returns. */
type FlowSecrets = { state: string; nonce: string; verifier: string }

/** The user of the provider. `email` only if the provider has verified it. */
export type ExternalPerson = {
  issuer: string
  subject: string
  email?: string | undefined
  name?: string | undefined
  /** When the user proved at the provider who they are, in seconds since 1970. Undefined if the provider does not say it. */
  authTime?: number | undefined
}

export type Provider = {
  settings: ExternalProvider
  /** The URL to sign in at the provider; with `again`, even if it has a session. @throws {ExternalUnavailable} */
  signInUrl: (flow: FlowSecrets, how: { again: boolean }) => Promise<string>
  /** The user in the answer of the provider. @throws when the answer is forged or belongs to another flow. */
  personOf: (url: URL, flow: FlowSecrets) => Promise<ExternalPerson>
  /** The URL to sign out at the provider. @throws {ExternalUnavailable} also when it has no such page. */
  signOutUrl: () => Promise<string>
}

export const TOKEN_USES = ['id', 'access'] as const
export type TokenUse = (typeof TOKEN_USES)[number]

/** One key pair for id tokens and one for access tokens, so that neither is accepted as the other. */
export type SigningKeys = {
  /** The keys of the JWKS document, including those that do not sign yet and those that no longer sign. */
  published: () => readonly JWK[]
  /** The key that signs new tokens of that use. */
  signer: (use: TokenUse) => { kid: string; privateKey: KeyObject }
  /** Finds the public key of a token of that use. */
  verifier: (use: TokenUse) => JWTVerifyGetKey
  /** Reads the keys again: another process may have made new ones. */
  reload: () => Promise<void>
  /** Reloads after an unknown key, at most once in ten seconds; false when it was too soon. */
  reloadIfOld: () => Promise<boolean>
}

/**
 * Ended sessions, for as long as an id token of theirs may still be valid. A sign-out also applies to tokens that were
 * verified before and are cached: at once in this process and over the bus, after half a second without the bus, as for
 * a CLI command or while Redis is down.
 */
export type EndedSessions = {
  /** Called after the commit. */
  add: (originJtis: readonly string[]) => void
  has: (originJti: string) => boolean
  /** Reads the database, unless it was read just now. */
  refresh: () => Promise<void>
  /** Calls the listener once when the session ends, also if it has ended before. The returned function unsubscribes. */
  onEnd: (originJti: string, listener: () => void) => () => void
}

/** What belongs to one call of the endpoint. */
export type Call = Caller & {
  /**
   * Counts a mail or text message by the address of the caller; not in a transaction.
   * @throws {CognitoError} TooManyRequestsException.
   */
  readonly admitMail: () => Promise<void>
}

/** All ports of the user pool, and the call. A function names the few it uses; only composition sees all. */
export type Pool = Call & {
  /** Like `us-east-1_AbC123xyz`. */
  readonly id: string
  /** The part of the id after the underscore; it is part of every verifier, so it never changes. */
  readonly name: string
  readonly clientId: string
  /** The `iss` of every token; JWKS and discovery document lie under it. */
  readonly issuer: string
  /** The public URL of this installation without a trailing slash. */
  readonly publicUrl: string
  /** The external provider of sign-ins. */
  readonly external: Provider | undefined
  readonly oauthClients: readonly OAuthClient[]
  readonly mfa: MfaPolicy
  readonly verification: 'code' | 'link'
  readonly registration: Registration
  readonly tracksDevices: boolean
  readonly passkeys: boolean
  readonly customChallenges: CustomChallenges | undefined
  readonly customTimeoutMs: number
  /** Undefined where browsers do not allow passkeys. */
  readonly relyingParty: RelyingParty | undefined
  /** Undefined where AdminGetUser is switched off. */
  readonly adminKey: AdminKey | undefined
  /** Undefined without an identity pool. */
  readonly identityPool: IdentityPool | undefined
  readonly onUserConfirmed: (trx: AnyDb, user: { sub: string; username: string }) => Promise<Admission>
  readonly onUserDeleted: (trx: AnyDb, sub: string) => Promise<() => void>
  readonly onSessionsEnded: (trx: AnyDb, sub: string) => Promise<void>
  readonly onSignIn: OnSignIn
  /** The language that the user has chosen. */
  readonly languageOf: (db: AnyDb, sub: string) => Promise<string | undefined>
  readonly productName: string
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
/** Write a mail in the language of its reader. */
export type MailPorts = Pick<Pool, 'acceptLanguage' | 'languageOf' | 'mail' | 'productName'>
/** Count a failed attempt. */
export type AttemptPorts = Pick<Pool, 'clock' | 'random' | 'userAgent'>
/** Note a security event and notify the user by mail. */
export type EventPorts = MailPorts & Pick<Pool, 'clock' | 'random' | 'userAgent'>
/** Make a code and send it. */
export type CodePorts = MailPorts & Pick<Pool, 'clock' | 'keyring' | 'mailBudget' | 'random'>

/** The same ports for the call of one client. */
export function withCaller<Ports extends Pick<Pool, 'mail'>>(
  ports: Ports,
  request: Parameters<typeof callerOf>[0],
): Ports & Caller {
  return { ...ports, mail: mailOfCall(ports.mail), ...callerOf(request) }
}

/** The queue for one call. Only a call that added a mail wakes it: most sign-ins add none, and a look costs a commit. */
function mailOfCall(mail: MailQueue): MailQueue {
  let hasMail = false
  return {
    ...mail,
    enqueue: async (...given) => {
      hasMail = true
      return await mail.enqueue(...given)
    },
    wake: () => {
      if (hasMail) mail.wake()
    },
  }
}

import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { EventBus } from '@marquee/platform/events/bus'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import type { CustomChallenges } from './custom-challenges.ts'

export type MfaPolicy = 'off' | 'optional' | 'required'

/** Another tool that may sign users in with their accounts here. One without a secret uses PKCE only. */
export type OAuthClient = {
  id: string
  /** The name on the consent screen. */
  name: string
  secret?: string | undefined
  /** Allowed redirect URIs for codes; exact match, but for the port of a local address of a client without a secret. */
  redirectUris: readonly string[]
  /** Allowed redirect URIs after signing out; exact match. */
  logoutUris: readonly string[]
}

/** An external OpenID Connect provider. */
export type ExternalProvider = {
  /** Exactly as in the discovery document. */
  issuer: string
  clientId: string
  clientSecret?: string | undefined
  /** The text of its button. */
  name: string
}

/** The key with which another server of the installation signs administrator requests. */
export type AdminKey = { accessKeyId: string; secretAccessKey: string }

/** Settings of the identity pool; without an id one is derived. */
export type IdentityPoolSettings = { id?: string | undefined; allowsGuests: boolean }

/** The result of a call that ends a sign-in attempt; calls that lead to the next challenge have none. */
export type SignInResult = 'signed-in' | 'refused' | 'locked-out' | 'limited' | 'failed'
export type OnSignIn = (result: SignInResult) => void

/** Who may create an account. The path is that of the web app that the visitor came from. */
export type Registration =
  | { kind: 'open' }
  | { kind: 'closed' }
  | {
      kind: 'invited'
      isInvitation: (path: string) => Promise<boolean>
      /** Uses the invitation up for a new account, in its transaction; false if it is not for this address, or used up. */
      reserve: (trx: AnyDb, signUp: { path: string; sub: string; email: string }) => Promise<boolean>
    }

/**
 * What the invitation of a confirmed account leads to. `isAdmitted` is false if it was given back in the meantime, and another
 * account has used it up.
 */
export type Admission = { readonly isAdmitted: boolean; readonly afterCommit: () => void }

/** The services and settings the user pool is opened with. */
export type IdentityPorts = {
  database: Database<unknown>
  clock: Clock
  random: Random
  mail: MailQueue
  /** Counts the calls of an address, and the codes that are sent to all users. */
  limiter: RateLimiter
  /** Notifies all processes of ended sessions at once; without it they notice within a second. */
  bus?: EventBus
  /** 32 bytes kept outside the database; all secrets in the database are encrypted with keys made from it. */
  masterKey: Buffer
  /** Earlier master keys: their values still open, and are re-encrypted with the current one. */
  previousMasterKeys?: readonly Buffer[]
  /** The public URL without a trailing slash; the issuer of every token begins with it. */
  publicUrl: string
  logger: Logger
  /** Whether a second factor is never required, required for users who set one up, or required for all. */
  mfa?: MfaPolicy
  /** Whether the mail that confirms a sign-up has a code or a link. */
  verification?: 'code' | 'link'
  /** Who may create an account; everyone without it. */
  registration?: Registration
  /** Whether devices get a secret of their own, and remembered ones skip the second factor. */
  deviceTracking?: 'off' | 'on'
  /** Whether users may sign in with passkeys, if the public address allows them. */
  passkeys?: 'off' | 'on'
  /** The plug-in that makes CUSTOM_AUTH possible, and how long it may take to answer (5 s). */
  customChallenges?: CustomChallenges | undefined
  customTimeoutMs?: number
  /** Enables AdminGetUser for requests signed with this key. */
  adminKey?: AdminKey | undefined
  /** Enables an identity pool beside the user pool. */
  identityPool?: IdentityPoolSettings | undefined
  /** The OpenID Connect provider with which users may sign in here. */
  externalProvider?: ExternalProvider | undefined
  /** The other tools that may sign users in with their accounts here. */
  oauthClients?: readonly OAuthClient[]
  /** Redeems the invitation of an account, in the transaction that confirms it. */
  onUserConfirmed?: (trx: AnyDb, user: { sub: string; username: string }) => Promise<Admission>
  /**
   * Removes the data of a user in the rest of the program, in the transaction that removes the user. Resolves to what follows
   * the commit.
   */
  onUserDeleted?: (trx: AnyDb, sub: string) => Promise<() => void>
  /** Ends what acts for the user without a session, in the transaction that ends all their other sessions. */
  onSessionsEnded?: (trx: AnyDb, sub: string) => Promise<void>
  /** The language that a user has chosen, in which their mails are. Without it, that of the request decides. */
  languageOf?: (db: AnyDb, sub: string) => Promise<string | undefined>
  /** Called with the result of each sign-in attempt, without personal data. */
  onSignIn?: OnSignIn | undefined
  /** Called when the mail budget of a purpose is nearly spent. */
  onMailBudgetNearlySpent?: ((purpose: string) => void) | undefined
  /** Signs the mails. */
  productName: string
}

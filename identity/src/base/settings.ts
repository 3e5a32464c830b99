import type { AnyDb, Database } from '@marquee/platform/database/database'
import type { EventBus } from '@marquee/platform/events/bus'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'

import type { CustomChallenges } from './custom-challenges.ts'

export type MfaPolicy = 'off' | 'optional' | 'required'

/** Another tool that may sign people in with their accounts here. One without a secret proves itself by PKCE alone. */
export type OAuthClient = {
  id: string
  /** What people are asked whether to sign in to. */
  name: string
  secret?: string | undefined
  /** Where codes may be sent, compared letter by letter. */
  redirectUris: readonly string[]
  /** Where people may be sent after signing out, compared letter by letter. */
  logoutUris: readonly string[]
}

/** An OpenID Connect provider of somebody else's, with which people may sign in here. */
export type ExternalProvider = {
  /** Exactly as in its discovery document. */
  issuer: string
  clientId: string
  clientSecret?: string | undefined
  /** What its button says. */
  name: string
}

/** A key with which a server of the same installation signs what only an administrator may ask. */
export type AdminKey = { accessKeyId: string; secretAccessKey: string }

/** How an installation wants its identity pool: with an id of its own choice or one of ours, with guests or not. */
export type IdentityPoolSettings = { id?: string | undefined; allowsGuests: boolean }

/** How a call that is part of a sign-in ended; one that leads to the next question is not counted. */
export type SignInResult = 'signed-in' | 'refused' | 'locked-out' | 'limited' | 'failed'
export type OnSignIn = (result: SignInResult) => void

/** What the user pool needs of the world. */
export type IdentityPorts = {
  database: Database<unknown>
  clock: Clock
  random: Random
  mail: MailQueue
  /** Counts the calls of an address, and the codes that are sent to all. */
  limiter: RateLimiter
  /** Tells all processes at once which sessions have ended; without it the others find out within a second. */
  bus?: EventBus
  /** 32 bytes kept outside the database; all secrets in the database are encrypted with keys made from it. */
  masterKey: Buffer
  /** Master keys that were in use before: what they encrypted still opens, and is encrypted anew with the one above. */
  previousMasterKeys?: readonly Buffer[]
  /** Where browsers reach this installation, without a last slash; the issuer of every token begins with it. */
  publicUrl: string
  logger: Logger
  /** Whether a second factor is asked for: of nobody, of those who have set one up, or of everybody. */
  mfa?: MfaPolicy
  /** Whether the mail that confirms a sign-up holds a code or a link. */
  verification?: 'code' | 'link'
  /** Whether devices are given a secret of their own, and remembered ones spare the second factor. */
  deviceTracking?: 'off' | 'on'
  /** Whether people may sign in with passkeys, where the public address allows them. */
  passkeys?: 'off' | 'on'
  /** The plug-in that makes CUSTOM_AUTH possible, and how long it may take to answer (5 s). */
  customChallenges?: CustomChallenges | undefined
  customTimeoutMs?: number
  /** Opens AdminGetUser to requests that are signed with this key; without one it is not there. */
  adminKey?: AdminKey | undefined
  /** Opens an identity pool beside the user pool; without one there is none. */
  identityPool?: IdentityPoolSettings | undefined
  /** The OpenID Connect provider with which people may sign in here. */
  externalProvider?: ExternalProvider | undefined
  /** The other tools that may sign people in with their accounts here. */
  oauthClients?: readonly OAuthClient[]
  /**
   * Removes what the rest of the program keeps of a user, in the transaction that removes the user: all goes, or
   * nothing.
   */
  onUserDeleted?: (trx: AnyDb, sub: string) => Promise<void>
  /** Called with how each sign-in ended, and no more of it. */
  onSignIn?: OnSignIn | undefined
  /** Called with the purpose of the codes of which the budget of all users is nearly spent. */
  onMailBudgetNearlySpent?: ((purpose: string) => void) | undefined
  /** Signs the mails. */
  productName: string
}

import type { KeyObject } from 'node:crypto'

import type { Identity, TokenUser } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import type { EventBus } from '@marquee/platform/events/bus'
import type { GuardedFetchOptions } from '@marquee/platform/network/guarded-fetch'
import type { Metrics } from '@marquee/platform/metrics/metrics'
import type { RateLimiter } from '@marquee/platform/limits/rate-limiter'
import type { MailQueue } from '@marquee/platform/mail/queue'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'

import type { CatalogueOptions, WatchProviderOptions } from './rooms/movies/catalogue/service.ts'
import type { MediaServerOptions } from './rooms/movies/media-servers/service.ts'
import type { ImageDecoder } from './rooms/movies/images/decoder.ts'
import type { RemotePosters } from './rooms/movies/images/names.ts'
import type { PushFetch } from './rooms/news/push/service.ts'
import type { SetupPorts } from './rooms/club/setup/service.ts'
import type { Parser } from './parsing/parser.ts'
import type { SweepTimes } from './rooms/movies/images/regular-sweep.ts'

/** The parts of Amplify's `Auth.Cognito` configuration that differ between set-ups. */
type PoolConfig = Omit<Identity['pool'], 'userPoolEndpoint'> & {
  /** Missing if Amplify knows it, as it does Amazon's own. */
  userPoolEndpoint?: string
  loginWith?: { oauth: OAuthConfig }
}
type OAuthConfig = {
  domain: string
  scopes: string[]
  redirectSignIn: string[]
  redirectSignOut: string[]
  responseType: 'code'
}

/**
 * The user of a token. `originJti` names the sign-in, if it is one of the built-in pool; otherwise `authTime` is its time
 * in seconds since 1970.
 */
type VerifiedUser = Pick<TokenUser, 'userId' | 'username' | 'expiresAt'> &
  Partial<Pick<TokenUser, 'originJti'>> & { readonly authTime?: number | undefined }

/** What the product needs of an identity service: the built-in pool or Amazon Cognito. */
export type Accounts = Pick<Identity, 'features' | 'hostedRoutes' | 'routes'> & {
  /** Only the built-in pool can have no account yet. */
  readonly firstAccount?: Identity['firstAccount']
  /** Only the built-in pool reports the end of a sign-in; `originJti` names it. */
  readonly onSessionEnd?: Identity['onSessionEnd']
  /**
   * Has a function called after the accounts have changed watchlists: a confirmed user has joined, or a deleted one has left.
   * Only the built-in pool does that.
   */
  readonly onWatchlistsChange?: (call: () => void) => void
  readonly pool: PoolConfig
  /** Data that only the built-in pool keeps of a user. */
  readonly account: Identity['account'] | undefined
  /** Other origins that the web app connects to. */
  readonly origins?: readonly string[]
  /** The user of an id token. @throws {InvalidToken} if it is invalid, expired, or revoked. */
  readonly verifyIdToken: (token: string) => Promise<VerifiedUser>
  /**
   * Whether the account still exists and is enabled. Missing for the built-in pool, which revokes the personal tokens of
   * other accounts.
   */
  readonly isActive?: (user: { readonly userId: string; readonly username: string }) => Promise<boolean>
  /** The user with that username, compared without case, with their mail address if they have one. */
  readonly findUser: (
    username: string,
  ) => Promise<{ userId: string; username: string; email: string | undefined } | undefined>
  /** The user with that verified mail address. */
  readonly findUserByEmail: (email: string) => Promise<{ userId: string; username: string } | undefined>
}

/** Everything that the app needs from outside. */
export type Ports = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly blobs: BlobStore
  /** The store that keeps removed images for a week. */
  readonly trash: BlobStore
  readonly decoder: ImageDecoder
  readonly parser: Parser
  /** The key of the hashes that name images. */
  readonly imageNameKey: KeyObject
  /** The key of the hashes of addresses. */
  readonly addressKey: KeyObject
  /** The keys of the addresses and secrets of webhooks: the current one first, then earlier ones. */
  readonly webhookKeys: readonly KeyObject[]
  /** Differences from the public internet for webhooks, for tests. */
  readonly webhookFetch?: Partial<GuardedFetchOptions>
  /** The keys of the addresses of devices: the current one first, then earlier ones. */
  readonly pushKeys: readonly KeyObject[]
  /** The keys of the tokens of join links: the current one first, then earlier ones. */
  readonly linkKeys: readonly KeyObject[]
  /** The keys of the links in mails that need no sign-in: the current one first, then earlier ones. */
  readonly unsubscribeKeys: readonly KeyObject[]
  /** Where the operators of push services reach the operator: `https:` or `mailto:`. */
  readonly pushSubject: string
  /** Differences from the public internet for push messages, for tests. */
  readonly pushFetch?: PushFetch
  /** Carries live events between processes. */
  readonly bus: EventBus
  readonly limiter: RateLimiter
  /** Metrics, if they are switched on. */
  readonly metrics?: Pick<Metrics, 'observe' | 'addCounter' | 'addGauge'> | undefined
  readonly accounts: Accounts
  /** Whether callers without an account may read by link. */
  readonly allowGuests: boolean
  readonly mail: Pick<MailQueue, 'enqueue' | 'replace' | 'cancel' | 'wake' | 'onRefusal'>
  /** What the setup of an installation without an account needs. */
  readonly setup: Pick<SetupPorts, 'setupCode' | 'mailTransport' | 'hasMailServer'>
  /** The public URL of this server, without a slash at the end. */
  readonly publicUrl: string
  /** Addresses and networks of trusted proxies; without them no header may name the client's address. */
  readonly trustedProxy?: readonly string[] | undefined
  /** Aborted when this process is about to stop: from then on it is not ready, but serves until it is closed. */
  readonly leaving?: AbortSignal
  /** How long, in milliseconds, open connections may send requests after the last one was accepted. */
  readonly closingGraceMs?: number
  /** The folder of the built web app. Without it only the API is served. */
  readonly webRoot: string | undefined
  /** The timing of the sweep of unused images, for tests. */
  readonly imageSweep?: SweepTimes
  /** The pause between a change and what announces it, for tests. */
  readonly announceAfterMs?: number
  /** Where posters with a URL are shown from. */
  readonly remotePosters: RemotePosters
  /** The movie catalogue; missing if the operator switched it off. */
  readonly catalogue?: CatalogueOptions | undefined
  /** Where streaming services are asked for; missing unless the operator switched it on. */
  readonly watchProviders?: WatchProviderOptions | undefined
  /** Media servers of members; missing unless the operator switched them on. */
  readonly mediaServers?: MediaServerOptions | undefined
  /** Differences from the public internet for the check of image URLs, for tests. */
  readonly imageFetch?: Partial<GuardedFetchOptions>
}

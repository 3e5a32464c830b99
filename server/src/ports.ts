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

import type { CatalogueOptions } from './modules/catalogue/service.ts'
import type { ImageDecoder } from './modules/images/decoder.ts'
import type { RemotePosters } from './modules/images/names.ts'
import type { SweepTimes } from './modules/images/regular-sweep.ts'

/** What Amplify is configured with as `Auth.Cognito`, as far as it differs from one set-up to another. */
type PoolConfig = Omit<Identity['pool'], 'userPoolEndpoint'> & {
  /** Missing where Amplify knows it, as it does Amazon's own. */
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

/** Whose token it is; `originJti` names the sign-in, where that is one of the built-in pool. */
type VerifiedUser = Pick<TokenUser, 'userId' | 'username' | 'expiresAt'> & Partial<Pick<TokenUser, 'originJti'>>

/** What the product needs of an identity service: the built-in pool, or Amazon Cognito. */
export type Accounts = Pick<Identity, 'features' | 'hostedRoutes' | 'routes'> & {
  /** Only the built-in pool knows when a sign-in ends; `originJti` names it. */
  readonly onSessionEnd?: Identity['onSessionEnd']
  readonly pool: PoolConfig
  /** What only the built-in pool keeps of a person. */
  readonly account: Identity['account'] | undefined
  /** Origins besides our own that the web app has to reach. */
  readonly origins?: readonly string[]
  /** Whose id token this is. @throws {InvalidToken} when it is wrong, too old, or revoked. */
  readonly verifyIdToken: (token: string) => Promise<VerifiedUser>
  /** The person of that username, compared without case, with the address their mail goes to, if they have one. */
  readonly findUser: (
    username: string,
  ) => Promise<{ userId: string; username: string; email: string | undefined } | undefined>
}

/** Everything the app is made of: the world is handed in. */
export type Ports = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly blobs: BlobStore
  /** Where removed images are kept for a week. */
  readonly trash: BlobStore
  readonly decoder: ImageDecoder
  /** The key of the hashes that name images. */
  readonly imageNameKey: KeyObject
  /** Carries live events between processes. */
  readonly bus: EventBus
  readonly limiter: RateLimiter
  /** Metrics, if they are switched on. */
  readonly metrics?: Pick<Metrics, 'observe' | 'addGauge'> | undefined
  readonly accounts: Accounts
  /** Whether callers without an account may read by link. */
  readonly allowGuests: boolean
  readonly mail: Pick<MailQueue, 'enqueue' | 'replace' | 'cancel' | 'wake'>
  /** Where people reach this server, without a slash at the end. */
  readonly publicUrl: string
  /** Addresses and networks of the proxies in front; without them no header may name the client's address. */
  readonly trustedProxy?: readonly string[] | undefined
  /** Aborted when this process is about to end: it is not ready from then on, and serves until it is closed. */
  readonly leaving?: AbortSignal
  /** How long, in milliseconds, open connections may bring requests after the last one was accepted. */
  readonly closingGraceMs?: number
  /** The folder of the built web app; without one only the API is served. */
  readonly webRoot: string | undefined
  /** The times of the sweep of unused images, for tests. */
  readonly imageSweep?: SweepTimes
  /** Where posters given by their address are shown from. */
  readonly remotePosters: RemotePosters
  /** Where movies are looked up; missing if the operator switched it off. */
  readonly catalogue?: CatalogueOptions | undefined
  /** What differs from the public internet when the address of an image is looked at. */
  readonly imageFetch?: Partial<GuardedFetchOptions>
}

import type { Database } from '@marquee/platform/database/database'
import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'
import type { Random } from '@marquee/platform/runtime/random'
import type { BlobStore } from '@marquee/platform/storage/blob-store'
import type { FastifyInstance } from 'fastify'

/** What the product needs of an identity service. The built-in pool is one. */
export type Accounts = {
  readonly pool: {
    readonly userPoolId: string
    readonly userPoolClientId: string
    /** An absolute URL. */
    readonly userPoolEndpoint: string
  }
  /** The service's own calls; the app puts them under `/identity`. */
  readonly routes: (app: FastifyInstance) => Promise<void> | void
  /** Rejects with an InvalidToken if the token is wrong, expired or revoked. */
  readonly verifyIdToken: (token: string) => Promise<{ readonly userId: string; readonly username: string }>
}

/** Everything the app is made of: the world is handed in. */
export type Ports = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  readonly blobs: BlobStore
  readonly accounts: Accounts
  /** Where people reach this server, without a slash at the end. */
  readonly publicUrl: string
  /** The folder of the built web app; without one only the API is served. */
  readonly webRoot: string | undefined
}

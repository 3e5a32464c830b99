import type { ResourcesConfig } from 'aws-amplify'

/** `Auth.Cognito` in Amplify's configuration, from /config.json. */
export type PoolConfig = NonNullable<ResourcesConfig['Auth']>['Cognito']

/** The features of this installation. Screens do not offer the others. */
type Features = {
  passkeys: boolean
  /** Devices can be remembered. */
  devices: boolean
  secondFactors: boolean
  /** The pool has custom challenges. */
  customChallenges: boolean
  /** What the mail that confirms a sign-up contains. */
  verification: 'code' | 'link'
  /** Who may create an account: with `invited`, visitors with a join link. */
  registration?: 'open' | 'invited' | 'closed'
  /** The name of the external provider, null without one. */
  externalProvider: string | null
  /** The pool has hosted sign-in pages, and they are configured. */
  hostedPages: boolean
  /** The installation has its own user pool, which offers more than Amazon Cognito. */
  accountService: boolean
  /** Guests may read by link. */
  guests: boolean
  /** No one has an account yet. */
  needsSetup?: boolean
  /** The source of the movie catalogue, null if it is switched off. */
  catalogue?: 'wikidata' | 'tmdb' | null
  /** Where movies can be watched is known; absent if it is switched off. */
  watchProviders?: boolean
  /** Watchlists can connect media servers; absent if that is switched off. */
  mediaServers?: boolean
}

let available: Features = {
  passkeys: false,
  devices: false,
  secondFactors: false,
  customChallenges: false,
  verification: 'code',
  externalProvider: null,
  hostedPages: false,
  accountService: false,
  guests: false,
}

let pool: PoolConfig | undefined

/** Called once, before the app is mounted. Tests take it back. */
export function setUserPool(userPool: PoolConfig | undefined): void {
  pool = userPool
}

/** Undefined before it is set. */
export function userPool(): PoolConfig | undefined {
  return pool
}

/** Called once, before the app is mounted. */
export function setFeatures(features: Features): void {
  available = features
}

export function features(): Features {
  return available
}

/** The configuration of an installation. All installations use the same build. */
type WebConfig = { auth: PoolConfig; features: Features }

function isWebConfig(value: unknown): value is WebConfig {
  if (typeof value !== 'object' || value === null || !('auth' in value)) return false
  const { auth, features } = value as { auth: unknown; features?: unknown }
  if (typeof features !== 'object' || features === null) return false
  return typeof auth === 'object' && auth !== null && 'userPoolId' in auth && 'userPoolClientId' in auth
}

/** The service worker has it on an answer that it kept, because the server did not answer. */
const KEPT_HEADER = 'x-kept'

/** Reads /config.json. `isKept`: it is the last one that the server sent. Rejects if it is out of reach or invalid. */
export async function readConfig(): Promise<WebConfig & { isKept: boolean }> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  const config: unknown = await response.json()
  if (!isWebConfig(config)) throw new Error('/config.json holds no user pool')
  return { ...config, isKept: response.headers.has(KEPT_HEADER) }
}

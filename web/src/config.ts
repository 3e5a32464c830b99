import type { PoolConfig } from '#web/session/session.ts'

/** What can be used of the identity service here; screens do not offer the rest. */
type Features = {
  passkeys: boolean
  /** Devices are given a secret of their own. */
  devices: boolean
  secondFactors: boolean
  /** The installation asks questions of its own after the password. */
  customChallenges: boolean
  /** What the mail that confirms a sign-up holds. */
  verification: 'code' | 'link'
  /** The name of the external provider one can sign in with; null without one. */
  externalProvider: string | null
  /** The pool has sign-in pages of its own, and what it takes to use them is known. */
  hostedPages: boolean
  /** The installation keeps the accounts itself, and so more of them than Amazon Cognito would. */
  accountService: boolean
  /** Who is not signed in may read by link. */
  guests: boolean
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

/** Called once, before the app is mounted. */
export function setFeatures(features: Features): void {
  available = features
}

export function features(): Features {
  return available
}

/** What differs from one set-up to another; the same build serves all of them. */
type WebConfig = { auth: PoolConfig; features: Features }

function isWebConfig(value: unknown): value is WebConfig {
  if (typeof value !== 'object' || value === null || !('auth' in value)) return false
  const { auth, features } = value as { auth: unknown; features?: unknown }
  if (typeof features !== 'object' || features === null) return false
  return typeof auth === 'object' && auth !== null && 'userPoolId' in auth && 'userPoolClientId' in auth
}

/** Reads /config.json of our own origin. Rejects when it is out of reach or not what we know. */
export async function readConfig(): Promise<WebConfig> {
  const response = await fetch('/config.json')
  if (!response.ok) throw new Error(`/config.json answered ${response.status}`)
  const config: unknown = await response.json()
  if (!isWebConfig(config)) throw new Error('/config.json holds no user pool')
  return config
}

import type { PoolConfig } from '#web/session/amplify-account.ts'
import type { Features } from '#web/session/features.ts'

/** What differs from one set-up to another; the same build serves all of them. */
export type WebConfig = { auth: PoolConfig; features: Features }

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

import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose'

import type { Clock } from '@marquee/platform/runtime/clock'
import type { Logger } from '@marquee/platform/runtime/logger'

import { DirectoryUnavailable } from './unavailable.ts'

const TIMEOUT_MS = 3_000
/** An unknown key id makes the keys be read again, but not more often than this: anybody can make up key ids. */
const COOLDOWN_MS = 30_000
/** Keys as old as this are read again beside the work, so that one that was withdrawn is not trusted for ever. */
const REFRESH_MS = 10 * 60_000
/** After a failure nobody waits for another attempt before this time. */
const PAUSE_MS = 5_000

/**
 * The keys a pool publishes. They are fetched once and kept: a new key is found when a token names it, old ones are
 * refreshed in the background, and as long as that fails the ones that are known stay good.
 */
export function publishedKeys(url: URL, { clock, logger }: { clock: Clock; logger: Logger }): JWTVerifyGetKey {
  let failedAt = -Infinity
  let askedAt = -Infinity

  const fetchKeys = async (...[address, options]: Parameters<typeof fetch>): Promise<Response> => {
    const now = clock.now().getTime()
    if (now - failedAt < PAUSE_MS) throw new DirectoryUnavailable('The keys could not be fetched a moment ago')
    askedAt = now
    try {
      const response = await fetch(address, options)
      if (response.status === 200) return response
      throw new Error(`The keys were answered with ${response.status}`)
    } catch (error) {
      failedAt = clock.now().getTime()
      logger.error({ message: reasonOf(error) }, 'the keys of the user pool cannot be fetched')
      throw new DirectoryUnavailable('The keys cannot be fetched', { cause: error })
    }
  }
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Infinity,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: fetchKeys,
  })

  return async (header, token) => {
    const isOld = clock.now().getTime() - askedAt > REFRESH_MS
    if (keys.jwks() !== undefined && isOld && !keys.reloading) keys.reload().catch(() => undefined)
    try {
      return await keys(header, token)
    } catch (error) {
      if (!isAboutTheKeys(error)) throw error
      throw new DirectoryUnavailable('The keys are not readable', { cause: error })
    }
  }
}

/** The document was fetched, but it is no key set: that says nothing about the token. */
function isAboutTheKeys(error: unknown): boolean {
  return error instanceof errors.JWKSInvalid || (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : 'unknown'
}

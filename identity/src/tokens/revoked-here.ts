import type { Clock } from '@marquee/platform/runtime/clock'

import { TOKEN_LIFETIME_SECONDS } from './lifetimes.ts'

/**
 * The sessions this process has ended, for as long as an id token of theirs could still be around. It makes a sign-out
 * hold at once for tokens that were verified before and are remembered.
 */
export type RevokedHere = {
  add: (originJtis: readonly string[]) => void
  has: (originJti: string) => boolean
}

export function createRevokedHere(clock: Clock): RevokedHere {
  const forgetAt = new Map<string, number>()
  return {
    add: (originJtis) => {
      const now = clock.now().getTime()
      for (const [originJti, at] of forgetAt) {
        if (at > now) break
        forgetAt.delete(originJti)
      }
      for (const originJti of originJtis) forgetAt.set(originJti, now + TOKEN_LIFETIME_SECONDS * 1000)
    },
    has: (originJti) => forgetAt.has(originJti),
  }
}

import { type EventBus, localEventBus } from '@marquee/platform/events/bus'
import type { Clock } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import { TOKEN_LIFETIME_SECONDS } from './lifetimes.ts'

const CHANNEL = 'sessions-ended'
const Message = z.array(z.string())

/**
 * The sessions that have ended here or, as far as it was heard, in another process, for as long as an id token of
 * theirs could still be around. It makes a sign-out hold at once for tokens that were verified before and are remembered.
 */
export type EndedSessions = {
  /** Called after the commit. */
  add: (originJtis: readonly string[]) => void
  has: (originJti: string) => boolean
}

/** Listens on the bus for as long as the bus is there. */
export function createEndedSessions(clock: Clock, bus: EventBus = localEventBus()): EndedSessions {
  const forgetAt = new Map<string, number>()
  bus.subscribe(CHANNEL, (payload) => {
    const now = clock.now().getTime()
    for (const [originJti, at] of forgetAt) {
      if (at > now) break
      forgetAt.delete(originJti)
    }
    const heard = Message.safeParse(JSON.parse(payload))
    if (!heard.success) return
    for (const originJti of heard.data) forgetAt.set(originJti, now + TOKEN_LIFETIME_SECONDS * 1000)
  })
  return {
    add: (originJtis) => {
      // The bus tells this process too, at once.
      if (originJtis.length > 0) bus.publish(CHANNEL, JSON.stringify(originJtis))
    },
    has: (originJti) => forgetAt.has(originJti),
  }
}

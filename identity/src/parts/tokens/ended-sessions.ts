import type { Database } from '@marquee/platform/database/database'
import { type EventBus, localEventBus } from '@marquee/platform/events/bus'
import type { Clock } from '@marquee/platform/runtime/clock'
import { z } from 'zod'

import type { EndedSessions } from '../../base/ports.ts'
import type { IdentityTables } from '../../base/tables.ts'
import { listEndedSessions } from './session-store.ts'
import { TOKEN_LIFETIME_SECONDS } from './signing-keys.ts'

const CHANNEL = 'sessions-ended'
const Message = z.array(z.string())
/** The maximum age of the last read of the database. */
const LOOK_AGAIN_MS = 500
/** A transaction becomes visible later than its timestamp, and the clocks of two machines differ. */
const OVERLAP_MS = 15_000

/** Listens on the bus while it is available. */
export function createEndedSessions(ports: {
  clock: Clock
  database: Database<IdentityTables>
  bus?: EventBus | undefined
}): EndedSessions {
  const { clock, database, bus = localEventBus() } = ports
  const ended = createMemory(clock)
  let lookedAt = clock.now().getTime()
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const now = clock.now().getTime()
    ended.note(await listEndedSessions(database.read, new Date(Math.min(lookedAt, now) - OVERLAP_MS).toISOString()))
    lookedAt = now
  }

  async function refresh(): Promise<void> {
    const age = clock.now().getTime() - lookedAt
    if (age >= 0 && age < LOOK_AGAIN_MS) return
    looking ??= look().finally(() => {
      looking = undefined
    })
    await looking
  }

  bus.subscribe(CHANNEL, (payload) => {
    const message = Message.safeParse(JSON.parse(payload))
    if (message.success) ended.note(message.data)
  })
  return {
    add: (originJtis) => {
      // The bus notifies this process too, at once.
      if (originJtis.length > 0) bus.publish(CHANNEL, JSON.stringify(originJtis))
    },
    has: ended.has,
    refresh,
    onEnd: (originJti, listener) => {
      const forget = ended.onEnd(originJti, listener)
      // While the database is unavailable, requests report it.
      timer ??= setInterval(() => void refresh().catch(() => undefined), LOOK_AGAIN_MS).unref()
      return () => {
        forget()
        if (ended.isAwaited()) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

/** The sessions that ended while their tokens are still valid, and the listeners for the end of others. */
function createMemory(clock: Clock) {
  const forgetAt = new Map<string, number>()
  const listeners = new Map<string, Set<() => void>>()

  function note(originJtis: readonly string[]): void {
    const now = clock.now().getTime()
    for (const [originJti, at] of forgetAt) {
      if (at > now) break
      forgetAt.delete(originJti)
    }
    for (const originJti of originJtis) {
      if (forgetAt.has(originJti)) continue
      forgetAt.set(originJti, now + TOKEN_LIFETIME_SECONDS * 1000)
      for (const listener of listeners.get(originJti) ?? []) listener()
    }
  }

  return {
    note,
    has: (originJti: string): boolean => forgetAt.has(originJti),
    isAwaited: (): boolean => listeners.size > 0,
    onEnd: (originJti: string, listener: () => void): (() => void) => {
      if (forgetAt.has(originJti)) queueMicrotask(listener)
      const others = listeners.get(originJti) ?? new Set()
      listeners.set(originJti, others.add(listener))
      return () => {
        others.delete(listener)
        if (others.size === 0) listeners.delete(originJti)
      }
    },
  }
}

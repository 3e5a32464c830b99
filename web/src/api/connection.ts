import { useSyncExternalStore } from 'react'

import { waitOnTimer, type Wait } from './retry.ts'

/** `offline` without a network, `unreachable` if the server does not answer. */
type Connection = 'online' | 'offline' | 'unreachable'

const RECHECK_MS = 5_000
/** Behind a load balancer, the second check likely reaches another process. */
const SECOND_CHECK_MS = 1_000
const ANSWERS_WITHIN_MS = 5_000

type ConnectionPorts = {
  /** Whether the browser reports a network. */
  hasNetwork: () => boolean
  /** Whether the server answers. Never rejects. */
  answers: () => Promise<boolean>
  wait: Wait
}

export type ConnectionStore = {
  current: () => Connection
  subscribe: (listener: () => void) => () => void
  /** A request failed: checks whether the connection is the cause. */
  doubt: () => void
  /** The browser lost its network. */
  lose: () => void
  /** The app was opened without the server. */
  miss: () => void
}

/**
 * Tracks whether the server is in reach. One failed call proves nothing, and neither does one failed check: a process that
 * is being replaced fails it. So two checks in a row must fail. Then it checks until the server answers.
 */
export function createConnection(ports: ConnectionPorts): ConnectionStore {
  let state: Connection = ports.hasNetwork() ? 'online' : 'offline'
  let isChecking = false
  const listeners = new Set<() => void>()

  function become(next: Connection): void {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  async function check(): Promise<void> {
    isChecking = true
    for (let failures = 1; ports.hasNetwork() && !(await ports.answers()); failures += 1) {
      if (!ports.hasNetwork()) break
      if (failures > 1) become('unreachable')
      await ports.wait(failures > 1 ? RECHECK_MS : SECOND_CHECK_MS, undefined)
    }
    isChecking = false
    become(ports.hasNetwork() ? 'online' : 'offline')
  }

  function doubt(): void {
    if (!isChecking) void check()
  }

  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    doubt,
    lose: () => become('offline'),
    miss: () => {
      become(ports.hasNetwork() ? 'unreachable' : 'offline')
      doubt()
    },
  }
}

/** The connection of this tab. */
export const connection = createConnection({
  hasNetwork: () => navigator.onLine,
  answers: async () => {
    try {
      const { status } = await globalThis.fetch('/readyz', {
        method: 'HEAD',
        cache: 'no-store',
        signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
      })
      return status < 500
    } catch {
      return false
    }
  },
  wait: waitOnTimer,
})

globalThis.addEventListener('offline', connection.lose)
globalThis.addEventListener('online', connection.doubt)

/** Whether the server is in reach. */
export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, connection.current)
}

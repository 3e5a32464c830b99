import { useSyncExternalStore } from 'react'

import { waitOnTimer, type Wait } from './retry.ts'

/** Whether the server can be asked: `offline` without a network, `unreachable` where it does not serve. */
type Connection = 'online' | 'offline' | 'unreachable'

const LOOK_AGAIN_MS = 5_000
const ANSWERS_WITHIN_MS = 5_000

type ConnectionPorts = {
  /** Does the browser think that it has a network? */
  hasNetwork: () => boolean
  /** Does the server serve? Never rejects. */
  answers: () => Promise<boolean>
  wait: Wait
}

export type ConnectionStore = {
  current: () => Connection
  subscribe: (listener: () => void) => () => void
  /** Something could not be sent or asked: look whether that was the connection. */
  doubt: () => void
  /** The browser lost its network. */
  lose: () => void
}

/** Knows whether the server is in reach. One failed call proves nothing, so it asks before it says so, and until it is back. */
export function createConnection(ports: ConnectionPorts): ConnectionStore {
  let state: Connection = ports.hasNetwork() ? 'online' : 'offline'
  let isLooking = false
  const listeners = new Set<() => void>()

  function become(next: Connection): void {
    if (next === state) return
    state = next
    for (const listener of listeners) listener()
  }

  async function look(): Promise<void> {
    isLooking = true
    while (ports.hasNetwork() && !(await ports.answers())) {
      if (!ports.hasNetwork()) break
      become('unreachable')
      await ports.wait(LOOK_AGAIN_MS, undefined)
    }
    isLooking = false
    become(ports.hasNetwork() ? 'online' : 'offline')
  }

  return {
    current: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    doubt: () => {
      if (!isLooking) void look()
    },
    lose: () => become('offline'),
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

/** Whether the server is in reach; renders again when that changes. */
export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, connection.current)
}

import { useSyncExternalStore } from 'react'

import { type Connection, connection } from './connection.ts'

/** Whether the server is in reach; renders again when that changes. */
export function useConnection(): Connection {
  return useSyncExternalStore(connection.subscribe, connection.current)
}

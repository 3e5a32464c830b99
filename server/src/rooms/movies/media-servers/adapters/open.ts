import { openJellyfin } from './jellyfin.ts'
import { openPlex } from './plex.ts'
import type { Connection, MediaFetchOptions, MediaServerPort } from './port.ts'

/** A media server at the address and with the key of a connection. Nothing is asked before a function is called. */
export function openMediaServer(connection: Connection, options: MediaFetchOptions): MediaServerPort {
  return connection.kind === 'plex' ? openPlex(connection, options) : openJellyfin(connection, options)
}

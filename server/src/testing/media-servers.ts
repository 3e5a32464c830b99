import { openMediaServer, openSeerr } from '../rooms/movies/media-servers/service.ts'
import type { MediaServerOptions } from '../rooms/movies/media-servers/service.ts'
import type { ServerRow } from '../rooms/movies/media-servers/store.ts'
import type { ServerRow as RequestServerRow } from '../rooms/movies/movie-requests/store.ts'
import { mediaServerKey } from '../master-keys.ts'

/** Media servers are on, but no address may be dialled. */
export const NO_MEDIA_SERVERS: MediaServerOptions = {
  keys: [mediaServerKey(Buffer.alloc(32, 7))],
  reach: { allowAddress: () => false, allowPort: () => true },
  open: openMediaServer,
  openRequests: openSeerr,
}

/** A server that is not read: another process has its reading. */
export const A_MEDIA_SERVER: Omit<ServerRow, 'watchlist_id' | 'id'> = {
  kind: 'jellyfin',
  name: 'Home',
  machine_id: 'machine',
  host: 'media.example.org',
  open_url: null,
  target: '',
  state: 'ready',
  fault: null,
  seen_at: null,
  read_at: null,
  movies: null,
  list_id: null,
  created_at: '2026-11-20T18:00:00.000Z',
  creator_id: 'owner',
  due_at: Date.UTC(2999, 0, 1),
  attempts: 0,
  claimed_by: 'another process',
}

export const A_REQUEST_SERVER: Omit<RequestServerRow, 'watchlist_id'> = {
  host: 'seerr.example.org',
  target: '',
  askers: 'members',
  fault: null,
  failures: 0,
  seen_at: '2026-11-20T18:00:00.000Z',
  creator_id: 'owner',
}

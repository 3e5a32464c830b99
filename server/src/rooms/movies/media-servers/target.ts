import type { KeyObject } from 'node:crypto'

import { sealedJson } from '@marquee/platform/sealed/sealed-json'

import type { Connection, MediaFetchOptions, MediaServerPort, RequestServerPort, Target } from './adapters/port.ts'
import type { ServerKey, ServerRow } from './store.ts'

/** What the operator has allowed. */
export type MediaServerOptions = {
  /** The keys of the addresses and keys of media servers: the current one first, then earlier ones. */
  readonly keys: readonly KeyObject[]
  /** Where servers may be. */
  readonly reach: MediaFetchOptions
  readonly open: (connection: Connection, reach: MediaFetchOptions) => MediaServerPort
  readonly openRequests: (target: Target, reach: MediaFetchOptions) => RequestServerPort
}

/** The addresses and keys of servers. */
export const {
  column: SEALED_SERVERS,
  seal: sealTarget,
  open: openTarget,
} = sealedJson<ServerKey, Target>({
  table: 'media_server',
  column: 'target',
  key: { watchlistId: 'watchlist_id', serverId: 'id' },
  context: 'media server',
})

/** A connection to a server. Undefined if no known key opens its address. */
export function connectTo(
  { keys, reach, open }: MediaServerOptions,
  row: Pick<ServerRow, 'watchlist_id' | 'id' | 'kind' | 'target'>,
): { readonly server: MediaServerPort; readonly target: Target } | undefined {
  const target = openTarget({ keys }, keyOf(row), row.target)
  return target && { server: open({ kind: row.kind, ...target }, reach), target }
}

/**
 * A server as one of its users calls it. Without a token, a user who is about to sign in. Undefined if no known key opens its
 * address.
 */
export function openAs(
  { keys, reach, open }: MediaServerOptions,
  row: Pick<ServerRow, 'watchlist_id' | 'id' | 'kind' | 'target'>,
  user: { readonly token: string; readonly device: string },
): MediaServerPort | undefined {
  const target = openTarget({ keys }, keyOf(row), row.target)
  return target && open({ kind: row.kind, url: target.url, ...user }, reach)
}

/** The page of a movie in the web app of a server. Needs no key. */
export function linkTo(
  { reach, open }: MediaServerOptions,
  { kind, open_url: url, machine_id: machineId }: Pick<ServerRow, 'kind' | 'open_url' | 'machine_id'>,
  itemId: string,
): string | null {
  return url === null ? null : open({ kind, url, token: '' }, reach).linkTo(url, machineId, itemId)
}

export function keyOf({ watchlist_id: watchlistId, id: serverId }: Pick<ServerRow, 'watchlist_id' | 'id'>): ServerKey {
  return { watchlistId, serverId }
}

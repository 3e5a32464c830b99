import type { KeyObject } from 'node:crypto'

import { openText, sealText } from '@marquee/platform/runtime/sealed-box'
import type { Random } from '@marquee/platform/runtime/random'
import type { SealedColumn } from '@marquee/platform/sealed/reseal'

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

export function sealTarget(
  { keys, random }: Pick<MediaServerOptions, 'keys'> & { readonly random: Random },
  key: ServerKey,
  target: Target,
): string {
  return sealText(keys, contextOf(key), Buffer.from(JSON.stringify(target)), random)
}

/** A connection to a server. Undefined if no known key opens its address. */
export function connectTo(
  { keys, reach, open }: MediaServerOptions,
  row: Pick<ServerRow, 'watchlist_id' | 'id' | 'kind' | 'target'>,
): { readonly server: MediaServerPort; readonly target: Target } | undefined {
  const target = openTarget({ keys }, keyOf(row), row.target)
  return target && { server: open({ kind: row.kind, ...target }, reach), target }
}

/** The address and the key of a server. Undefined if no known key opens them. */
export function openTarget(
  { keys }: Pick<MediaServerOptions, 'keys'>,
  key: ServerKey,
  sealed: string,
): Target | undefined {
  const opened = openText(keys, contextOf(key), sealed)
  if (!opened) return undefined
  const { url, token } = JSON.parse(opened.content.toString()) as Target
  return { url, token }
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
  const opened = openText(keys, contextOf(keyOf(row)), row.target)
  if (!opened) return undefined
  const { url } = JSON.parse(opened.content.toString()) as Target
  return open({ kind: row.kind, url, ...user }, reach)
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

/** For a change of the master key. */
export const SEALED_SERVERS: SealedColumn = {
  table: 'media_server',
  column: 'target',
  key: ['watchlist_id', 'id'],
  contextOf: ([watchlistId = '', serverId = '']) => contextOf({ watchlistId, serverId }),
}

export function contextOf({ watchlistId, serverId }: ServerKey): string {
  return `media server ${watchlistId} ${serverId}`
}

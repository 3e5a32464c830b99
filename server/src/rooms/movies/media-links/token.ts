import { openText, sealText } from '@marquee/platform/runtime/sealed-box'
import type { Random } from '@marquee/platform/runtime/random'
import type { SealedColumn } from '@marquee/platform/sealed/reseal'
import { openJson, sealJson } from '@marquee/platform/sealed/sealed-json'

import type { MediaServerOptions } from '../media-servers/service.ts'
import type { LinkKey, LinkRow } from './store.ts'

type Keys = Pick<MediaServerOptions, 'keys'>

/** What a user who is about to enter a code has begun. It comes back with the next call. */
export type Attempt = { readonly secret: string; readonly device: string; readonly endsAt: number }

export function sealToken({ keys }: Keys, key: LinkKey, token: string, random: Random): string {
  return sealText(keys, contextOf('link', key), Buffer.from(token), random)
}

/** The token of a link; undefined if it has none, or no known key opens it. */
export function openToken({ keys }: Keys, link: LinkRow): string | undefined {
  if (link.token === null) return undefined
  const opened = openText(keys, contextOf('link', keyOf(link)), link.token)
  return opened?.content.toString()
}

export function sealAttempt({ keys }: Keys, key: LinkKey, attempt: Attempt, random: Random): string {
  return sealJson(keys, contextOf('attempt', key), attempt, random)
}

export function openAttempt({ keys }: Keys, key: LinkKey, sealed: string): Attempt | undefined {
  return openJson(keys, contextOf('attempt', key), sealed) as Attempt | undefined
}

export function keyOf(link: Pick<LinkRow, 'watchlist_id' | 'server_id' | 'user_id'>): LinkKey {
  return { watchlistId: link.watchlist_id, serverId: link.server_id, userId: link.user_id }
}

/** For a change of the master key. */
export const SEALED_LINKS: SealedColumn = {
  table: 'media_link',
  column: 'token',
  key: ['watchlist_id', 'server_id', 'user_id'],
  contextOf: ([watchlistId = '', serverId = '', userId = '']) => contextOf('link', { watchlistId, serverId, userId }),
}

function contextOf(what: 'link' | 'attempt', { watchlistId, serverId, userId }: LinkKey): string {
  return `media ${what} ${watchlistId} ${serverId} ${userId}`
}

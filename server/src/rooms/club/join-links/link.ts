import { createHmac, type KeyObject } from 'node:crypto'

import { DAY_MS } from '@marquee/platform/runtime/durations'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import type { WatchlistPorts } from '../watchlists/service.ts'
import type { User } from '../people/service.ts'
import type { JoinLinkRow } from './store.ts'

const TOKEN_BYTES = 16

export type LinkKeys = {
  /** The keys of the tokens of join links: the current one first, then earlier ones. */
  readonly linkKeys: readonly KeyObject[]
}

/** A new link of this user, with its token. */
export function newLink(
  { clock, random, linkKeys }: Pick<WatchlistPorts, 'clock' | 'random'> & LinkKeys,
  user: User,
  made: { watchlistId: string; days: number; maxUses: number; address: string | null },
): { token: string; link: JoinLinkRow } {
  const [key] = linkKeys
  if (key === undefined) throw new Error('There is no key for the tokens of join links')
  const id = random.uuid()
  const token = deriveToken(key, { watchlistId: made.watchlistId, id })
  const now = clock.now()
  const link = {
    watchlist_id: made.watchlistId,
    id,
    token_hash: hashOfSecret(token),
    user_id: user.userId,
    username: user.username,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + made.days * DAY_MS).toISOString(),
    revoked_at: null,
    max_uses: made.maxUses,
    uses: 0,
    address: made.address,
    invitee_id: null,
    mail_refused_at: null,
  }
  return { token, link }
}

/** The token of an open link; null if none of these keys made it. */
export function tokenOf({ linkKeys }: LinkKeys, link: JoinLinkRow): string | null {
  const tokens = linkKeys.map((key) => deriveToken(key, { watchlistId: link.watchlist_id, id: link.id }))
  return tokens.find((token) => hashOfSecret(token) === link.token_hash) ?? null
}

/** The token is not in the database, but with the key it can be shown again. */
function deriveToken(key: KeyObject, { watchlistId, id }: { watchlistId: string; id: string }): string {
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([watchlistId, id]))
    .digest()
  return digest.subarray(0, TOKEN_BYTES).toString('base64url')
}

export function isOpen(link: JoinLinkRow, now: string): boolean {
  return stateOf(link, now) === 'open'
}

export function stateOf(link: JoinLinkRow, now: string): 'open' | 'used-up' | 'expired' | 'revoked' {
  if (link.revoked_at !== null) return 'revoked'
  if (link.uses >= link.max_uses) return 'used-up'
  return link.expires_at <= now ? 'expired' : 'open'
}

/** The token in the path of the page of a join link. */
export function tokenIn(path: string): string | undefined {
  return /^\/join\/([\w-]+)$/u.exec(path)?.[1]
}

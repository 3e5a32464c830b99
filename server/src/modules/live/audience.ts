import type { LiveEvent } from '@marquee/contract/live-events'

/** What a listener who is no member may hear of: what they may read. The count of the box and the invitations are for members. */
const FOR_MEMBERS: ReadonlySet<LiveEvent['kind']> = new Set(['box-changed', 'invitations-changed'])

/** What may end somebody's right to listen, or make them a member. */
const ABOUT_ACCESS: ReadonlySet<LiveEvent['kind']> = new Set(['watchlist-changed', 'members-changed'])

export function mayHear({ isMember }: { isMember: boolean }, { kind }: LiveEvent): boolean {
  return isMember || !FOR_MEMBERS.has(kind)
}

export function isAboutAccess({ kind }: LiveEvent): boolean {
  return ABOUT_ACCESS.has(kind)
}

export function isTheLast({ kind }: LiveEvent): boolean {
  return kind === 'watchlist-deleted'
}

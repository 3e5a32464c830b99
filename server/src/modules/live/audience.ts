import type { LiveEvent } from '@marquee/contract/live-events'

/** Events for members only: readers see neither the count of the box nor the invitations. */
const FOR_MEMBERS: ReadonlySet<LiveEvent['kind']> = new Set(['box-changed', 'invitations-changed'])

/** Events after which a listener may have gained or lost access. */
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

import type { Clock } from '../runtime/clock.ts'
import type { LapsedClaim } from './store.ts'

/** Longer than two renewals: whoever lives and has the database back has renewed its claim by then. */
const WATCHED_MS = 5_000

export type AbandonedClaims = {
  /** Of the claims that have lapsed, those whose owner is taken for dead. */
  among: (lapsed: readonly LapsedClaim[]) => string[]
  /** Begins to watch anew: what was not renewed may not have been for want of a database. */
  startOver: () => void
}

/**
 * A claim that has lapsed is no proof that its owner died: the database may have been gone, for the owner too, who has
 * sent the mail and only cannot write it down. So it is watched for a while in which the database answers, and is
 * abandoned if nobody renews it.
 */
export function watchClaims(clock: Clock): AbandonedClaims {
  let watched = new Map<string, { lapsedAt: number; since: number }>()
  return {
    among: (lapsed) => {
      const now = clock.now().getTime()
      const before = watched
      watched = new Map()
      const abandoned: string[] = []
      for (const { id, lapsedAt } of lapsed) {
        const known = before.get(id)
        const since = known?.lapsedAt === lapsedAt ? known.since : now
        watched.set(id, { lapsedAt, since })
        if (now - since >= WATCHED_MS) abandoned.push(id)
      }
      return abandoned
    },
    startOver: () => {
      watched = new Map()
    },
  }
}

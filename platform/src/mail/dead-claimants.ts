import type { Clock } from '../runtime/clock.ts'
import type { Claimant } from './store.ts'

/** Longer than two renewals: a process that lives and has the database back has renewed a claim by then. */
const WATCHED_MS = 5_000

export type DeadClaimants = {
  /** Those of the claimants who are taken for dead. */
  among: (claimants: readonly Claimant[]) => string[]
  /** Watches all of them from the start: what was not renewed may not have been for want of a database. */
  startOver: () => void
}

/**
 * A claim that has lapsed is no proof that its process died: the database may have been gone, for that process too, which
 * has sent the mail and only cannot write it down. So each process is watched while the database answers, and is taken
 * for dead when it renews none of its claims for a while.
 */
export function watchClaimants(clock: Clock): DeadClaimants {
  let watched = new Map<string, { lapsedAt: number; since: number }>()
  return {
    among: (claimants) => {
      const now = clock.now().getTime()
      const before = watched
      watched = new Map()
      const dead: string[] = []
      for (const { id, lapsedAt } of claimants) {
        const known = before.get(id)
        // A claim that lapsed since then was renewed before.
        const since = known !== undefined && lapsedAt <= known.lapsedAt ? known.since : now
        watched.set(id, { lapsedAt, since })
        if (now - since >= WATCHED_MS) dead.push(id)
      }
      return dead
    },
    startOver: () => {
      watched = new Map()
    },
  }
}

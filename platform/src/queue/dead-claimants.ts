import type { Clock } from '../runtime/clock.ts'
import type { Claimant } from './store.ts'

/** Longer than two renewals: a live process with a working database has renewed a claim by then. */
const WATCHED_MS = 5_000

export type DeadClaimants = {
  /** The claimants that count as dead. */
  among: (claimants: readonly Claimant[]) => string[]
  /** Forgets what was observed: claims may have lapsed only because the database was unreachable. */
  startOver: () => void
}

/**
 * A lapsed claim does not prove that its process died. The process may have sent the mail and have lost the database
 * before it could record that. So each process is watched while the database answers, and counts as dead if it renews
 * none of its claims for a while.
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
        // A claim that lapsed later than the known one was renewed in between.
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

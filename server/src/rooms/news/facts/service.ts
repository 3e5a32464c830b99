import { activityKindOf, liveEventOf, rowOf } from '@marquee/contract/facts'
import type { Random } from '@marquee/platform/runtime/random'

import type { Live } from '../live/service.ts'
import type { ChangePorts } from '../../club/watchlists/service.ts'
import { markInvitationRead } from '../notifications/service.ts'
import { recordActivity } from './fact-store.ts'
import { activityOf, deleteDecisions, deleteReminders } from '../activities/service.ts'

type FactPorts = ChangePorts['facts']

/** What follows from the facts of a watchlist: activities, in its transaction, and live events, after its commit. */
export function factsTo({
  random,
  live,
  wakeActivities,
}: {
  readonly random: Random
  readonly live: Pick<Live, 'publish'>
  /** Has the activities announced that were recorded. */
  readonly wakeActivities: () => void
}): FactPorts {
  return {
    record: recordBy(random),
    settle,
    publish: (facts) => {
      const published = new Set<string>()
      for (const event of facts.flatMap((fact) => liveEventOf(fact) ?? [])) {
        const same = JSON.stringify(event)
        if (!published.has(same)) live.publish(event)
        published.add(same)
      }
      if (facts.length > 0) wakeActivities()
    },
  }
}

/** Records the activity of a fact, if it has one and someone may learn of it. */
export function recordBy(random: Random): FactPorts['record'] {
  return (trx, fact, { hasOthers }) => {
    const kind = activityKindOf(fact)
    if (!kind) return []
    const { notifies, webhook } = rowOf(fact)
    const isForMembers = hasOthers || notifies !== 'others'
    // Only a webhook reports what a member does alone.
    if (!isForMembers && webhook === null) return []
    const activity = { ...activityOf(random, fact, kind), slot: fact.slot }
    return [recordActivity.send(trx, activity, { isInSlot: fact.slot !== undefined, ifReported: !isForMembers })]
  }
}

export const settle: FactPorts['settle'] = (trx, watchlistId, what) => {
  if ('decisionsOn' in what) return deleteDecisions.send(trx, { watchlistId, cardId: what.decisionsOn })
  if ('remindersOf' in what) return deleteReminders.send(trx, { watchlistId, nightId: what.remindersOf })
  return markInvitationRead.send(trx, { watchlistId, userId: what.invitationOf })
}

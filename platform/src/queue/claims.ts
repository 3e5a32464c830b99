import type { AnyDb } from '../database/database.ts'
import { watchClaimants } from './dead-claimants.ts'
import type { Work } from './fairness.ts'
import type { Performing, Policy, QueuePorts } from './policy.ts'
import { type Blocked, claimRow, findDue, listLateClaimants, moveClaimed } from './store.ts'

/** The rows that this process claims, renews and gives back, under a name of its own. */
export function createClaims<Row>(ports: QueuePorts, policy: Policy<Row>) {
  const { database, clock } = ports
  const { table, claimMs } = policy
  const by = ports.random.uuid()
  const claimants = watchClaimants(clock)
  let watchesOthers = false

  /** The names of claimants whose rows no process works on. */
  async function deadClaimants(now: number): Promise<string[]> {
    if (table.claimedBy === undefined) return []
    const others = (await listLateClaimants(database.read, table, now)).filter(({ id }) => id !== by)
    watchesOthers = others.length > 0
    // A lane at work is not chosen again, so lapsed claims of this process are left over from a lost connection.
    return [by, ...claimants.among(others)]
  }

  async function claimRows(trx: AnyDb, rows: readonly Row[], until: number): Promise<Row[]> {
    const claimed: Row[] = []
    for (const row of rows) {
      const own = await claimRow(trx, table, row, { until, by })
      if (own === undefined) continue
      await policy.onClaim?.(trx, own, until)
      claimed.push(own)
    }
    return claimed
  }

  const release: Performing<Row>['release'] = async (trx, row, to, { isUncounted } = { isUncounted: false }) => {
    await moveClaimed(trx, table, row, { to, isFree: true, isUncounted })
  }

  const giveBack: Performing<Row>['giveBack'] = async (row, dueAt = clock.now().getTime()) => {
    await database.transaction(async (trx) => await release(trx, row, dueAt, { isUncounted: true }))
  }

  return {
    release,
    giveBack,
    startOver: claimants.startOver,
    /** Whether claims of other processes, which may have died, have lapsed. */
    watchesOthers: () => watchesOthers,

    findDue: async (now: number, limit: number, except?: Blocked): Promise<Row[]> => {
      const due = { now, from: await deadClaimants(now), limit, except }
      const urgent = table.urgent === undefined ? [] : await findDue(database.read, table, { ...due, isUrgent: true })
      return [...urgent, ...(await findDue(database.read, table, due))]
    },

    /** The works whose rows no other process has claimed, with these rows as they are now. */
    claim: async (works: readonly Work<Row>[], now: number): Promise<Work<Row>[]> => {
      if (claimMs === undefined) return [...works]
      const until = now + claimMs
      return await database.transaction(async (trx) => {
        const claimed: Work<Row>[] = []
        for (const work of works) {
          const [first, ...others] = await claimRows(trx, work.rows, until)
          if (first !== undefined) claimed.push({ ...work, rows: [first, ...others] })
        }
        return claimed
      })
    },

    /** Renews the claims of rows until the timer is cleared. */
    renew: (rows: readonly Row[]) => startRenewal(ports, policy, rows),
  }
}

export type Claims<Row> = ReturnType<typeof createClaims<Row>>

function startRenewal<Row>(
  { database, clock, logger }: QueuePorts,
  { name, table, claimMs, renewMs }: Policy<Row>,
  rows: readonly Row[],
): NodeJS.Timeout | undefined {
  if (claimMs === undefined || renewMs === undefined) return undefined
  return setInterval(() => {
    const to = clock.now().getTime() + claimMs
    database
      .transaction(async (trx) => {
        for (const row of rows) await moveClaimed(trx, table, row, { to })
      })
      .catch((error: unknown) => {
        logger.error({ err: error, queue: name }, 'a claim could not be renewed')
      })
  }, renewMs).unref()
}

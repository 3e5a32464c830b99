import type { Database } from '../database/database.ts'
import type { Policy } from './policy.ts'
import { type Blocked, type DueTable, findDueOf, findNext, laneColumns, nameIn } from './store.ts'

/** Rows of one lane, performed together. */
export type Work<Row> = {
  readonly owner: string
  readonly lane: string
  readonly rows: readonly [Row, ...Row[]]
}

type Rules<Row> = Pick<Policy<Row>, 'table' | 'batch' | 'perOwner'>

/** How many owners and lanes are visited in turn while there are more due rows than are read at a time. */
const VISITED = 8
/** How many owners are remembered by when they had their last turn. */
const REMEMBERED = 10_000

/**
 * Chooses what is performed next: urgent rows first, then round robin by owner, and within an owner by the time they are due.
 * While there are more due rows than `window`, owners and lanes are also visited in the order of their keys, so that none has
 * to wait until the rows of others are done.
 */
export function chooseWork<Row>(database: Database<unknown>, policy: Rules<Row>, window: number) {
  const { table, batch = 1, perOwner = Infinity } = policy
  const laneOf = table.laneOf ?? ((row: Row) => nameIn(row as never, laneColumns(table)))
  const ownerOf = (row: Row): string => nameIn(row as never, table.key.slice(0, 1))
  const isUrgent = (row: Row): boolean => table.urgent !== undefined && Number(row[table.urgent]) === 1
  const turns = takeTurns(perOwner)
  const visited: { owner: Partial<Row>; lane: Partial<Row> } = { owner: {}, lane: {} }

  async function visit(what: keyof typeof visited, now: number): Promise<Row[]> {
    const rows: Row[] = []
    for (let count = 0; count < VISITED; count += 1) {
      const next = await findNext(database.read, table, what, visited[what])
      visited[what] = next ?? {}
      if (next === undefined) break
      rows.push(...(await findDueOf(database.read, table, next, { now, limit: Math.max(batch, VISITED) })))
    }
    return rows
  }

  /** The due rows of each lane that is not at work. */
  function lanesOf(due: readonly Row[], busy: Iterable<string>): Map<string, Row[]> {
    const lanes = Map.groupBy(due, laneOf)
    for (const lane of busy) lanes.delete(lane)
    return lanes
  }

  return {
    blockedBy: (running: readonly Work<Row>[], resting: ReadonlyMap<string, unknown>): Blocked => ({
      lanes: [...running.map(({ lane }) => lane), ...resting.keys()],
      owners: turns.listFull(running),
    }),

    choose: async (due: readonly Row[], { now, free, running, resting }: Situation<Row>): Promise<Work<Row>[]> => {
      const isBacklog = due.length >= window && table.lane > 0
      const found = isBacklog ? [...due, ...(await visit('owner', now)), ...(await visit('lane', now))] : due
      const lanes = lanesOf(found, [...running.map(({ lane }) => lane), ...resting.keys()])
      const waiting = [...lanes].map(([lane, rows], place) => {
        const [first] = rows as [Row, ...Row[]]
        return { lane, place, owner: ownerOf(first), isUrgent: isUrgent(first), rows: uniqueOf(table, rows, batch) }
      })
      return turns.choose(waiting, running, free)
    },
  }
}

type Situation<Row> = {
  readonly now: number
  readonly free: number
  readonly running: readonly Work<Row>[]
  readonly resting: ReadonlyMap<string, unknown>
}

type Waiting<Row> = Work<Row> & { readonly place: number; readonly isUrgent: boolean }

/** Urgent lanes first, then those of the owner with the fewest lanes at work, then of the one whose last turn was longest ago. */
function takeTurns(perOwner: number) {
  const lastTurns = new Map<string, number>()
  let turn = 0

  function noteTurn(owner: string): void {
    if (lastTurns.size >= REMEMBERED) lastTurns.clear()
    lastTurns.set(owner, (turn += 1))
  }

  return {
    /** The owners with as many lanes at work as they may have. */
    listFull: <Row>(running: readonly Work<Row>[]): string[] =>
      [...Map.groupBy(running, ({ owner }) => owner)].flatMap(([owner, works]) =>
        works.length >= perOwner ? owner : [],
      ),

    choose: <Row>(given: readonly Waiting<Row>[], running: readonly Work<Row>[], free: number): Waiting<Row>[] => {
      const waiting = new Set(given)
      const atWork = new Map<string, number>()
      const noteWork = (owner: string): unknown => atWork.set(owner, (atWork.get(owner) ?? 0) + 1)
      for (const { owner } of running) noteWork(owner)
      const rank = ({ isUrgent, owner, place }: Waiting<Row>) => [
        isUrgent ? 0 : 1,
        atWork.get(owner) ?? 0,
        lastTurns.get(owner) ?? 0,
        place,
      ]
      const chosen: Waiting<Row>[] = []
      while (chosen.length < free) {
        let best: Waiting<Row> | undefined
        for (const one of waiting) {
          if ((atWork.get(one.owner) ?? 0) >= perOwner) continue
          if (best === undefined || isBefore(rank(one), rank(best))) best = one
        }
        if (best === undefined) return chosen
        waiting.delete(best)
        noteWork(best.owner)
        noteTurn(best.owner)
        chosen.push(best)
      }
      return chosen
    },
  }
}

function isBefore(one: readonly number[], other: readonly number[]): boolean {
  const place = one.findIndex((value, n) => value !== other[n])
  return place >= 0 && (one[place] ?? 0) < (other[place] ?? 0)
}

/** A row may have been found twice: as one of the oldest, and in its lane. */
function uniqueOf<Row>(table: DueTable<Row>, rows: readonly Row[], batch: number): [Row, ...Row[]] {
  const byKey = new Map(rows.map((row) => [nameIn(row as never, table.key), row]))
  return [...byKey.values()].slice(0, batch) as [Row, ...Row[]]
}

import { DEFAULT_VETO_BUDGET, GUEST_VETO_BUDGET } from '@marquee/contract/limits'

import type { Change, Row, Table } from './change-log.ts'
import { added, changed } from './effect.ts'

const KEYS = {
  card: ['id'],
  draw_pick: ['draw_number', 'place'],
  night_presence: ['night_id', 'user_id'],
  night_pass: ['id'],
  night_absentee: ['night_id', 'draw_number', 'user_id'],
  night_ballot: ['night_id', 'draw_number', 'user_id'],
  night_veto: ['night_id', 'card_id', 'seq'],
  night_setting: ['watchlist_id'],
} as const satisfies Partial<Record<Table, readonly string[]>>
type Kept = keyof typeof KEYS

/** A stored result. Its cards are empty if single ballots could be read from them. */
type Result = { winner: string | null; present: number; voted: number; cards: { cardId: string; total: number }[] }

/** The rows of each table, as they are at a moment. */
type Rows = (table: Kept) => Row[]

/** Each closed vote has the result of its ballots, counted here once more, and no one uses more vetoes than they have. */
export function auditTallies(changes: readonly Change[]): string[] {
  const tables = new Map<Kept, Map<string, Row>>()
  const rows: Rows = (table) => [...(tables.get(table)?.values() ?? [])]
  return changes.flatMap((change) => {
    const findings = auditResult(change, rows)
    keep(tables, change)
    return [...findings, ...auditBudget(change, rows)]
  })
}

function keep(tables: Map<Kept, Map<string, Row>>, { table, was, is }: Change): void {
  if (!isKept(table)) return
  const kept = tables.get(table) ?? new Map<string, Row>()
  tables.set(table, kept)
  const keyOf = (row: Row) => KEYS[table].map((column) => row[column]).join(' ')
  if (was) kept.delete(keyOf(was))
  if (is) kept.set(keyOf(is), is)
}

function isKept(table: Table): table is Kept {
  return Object.hasOwn(KEYS, table)
}

/** The ballots of those who are there, or whom others removed, decide which card stays. */
function auditResult(change: Change, rows: Rows): string[] {
  const vote = changed(change, 'night_vote', 'closed_at')
  if (vote?.['result'] === undefined || vote['result'] === null) return []
  const ofVote = (row: Row) => row['night_id'] === vote['night_id'] && row['draw_number'] === vote['draw_number']
  const present = presentAt(rows, vote['night_id'])
  const absentees = rows('night_absentee').filter(ofVote)
  const removed = absentees.filter((row) => row['is_removed'] === 1).map((row) => row['user_id'])
  const ballots = rows('night_ballot').filter(ofVote)
  const counted = ballots.filter((row) => [...present, ...removed].includes(row['user_id']))
  const voters = ballots.map((row) => row['user_id'])
  const people = new Set([...present, ...absentees.map((row) => row['user_id']), ...voters])
  const { winner, present: there, voted, cards: told } = JSON.parse(String(vote['result'])) as Result
  const counts = { winner: winnerOf(cardsOf(rows, vote), counted), present: people.size, voted: new Set(voters).size }
  const totals = told.map(({ cardId }) => totalOf(cardId, counted))
  const isRight =
    JSON.stringify({ winner, present: there, voted }) === JSON.stringify(counts) &&
    told.every(({ total }, place) => total === totals[place])
  const shown = JSON.stringify(told.length === 0 ? counts : { ...counts, totals })
  return isRight ? [] : [`The vote on draw ${vote['draw_number']} has the result ${vote['result']} and not ${shown}`]
}

function presentAt(rows: Rows, nightId: unknown): unknown[] {
  const isThere = (row: Row) => row['night_id'] === nightId
  return [
    ...rows('night_presence')
      .filter((row) => isThere(row) && row['left_at'] === null)
      .map((row) => row['user_id']),
    ...rows('night_pass')
      .filter((row) => isThere(row) && row['kind'] === 'guest' && row['ended_at'] === null)
      .map((row) => row['id']),
  ]
}

/** The shortlist in the order drawn, without cards that were decided, put back or deleted in the meantime. */
function cardsOf(rows: Rows, vote: Row): string[] {
  const revealed = new Set(rows('card').flatMap((row) => (row['status'] === 'REVEALED' ? [row['id']] : [])))
  return rows('draw_pick')
    .filter((row) => row['draw_number'] === vote['draw_number'] && revealed.has(row['card_id'] ?? null))
    .toSorted((one, other) => Number(one['place']) - Number(other['place']))
    .map((row) => String(row['card_id']))
}

function totalOf(cardId: string, ballots: readonly Row[]): number {
  const scoresOf = (ballot: Row) => JSON.parse(String(ballot['scores'])) as Record<string, number>
  return ballots.reduce((sum, ballot) => sum + (scoresOf(ballot)[cardId] ?? 0), 0)
}

function winnerOf(cardIds: readonly string[], ballots: readonly Row[]): string | null {
  if (ballots.length === 0) return null
  let best: { id: string; total: number } | undefined
  for (const id of cardIds) {
    if (ballots.some((ballot) => ballot['veto'] === id)) continue
    const total = totalOf(id, ballots)
    if (best === undefined || total > best.total) best = { id, total }
  }
  return best?.id ?? null
}

/** A simulation lasts for less than a month. */
function auditBudget(change: Change, rows: Rows): string[] {
  const ballot = changed(change, 'night_ballot', 'veto')
  const userId = added(change, 'night_veto')?.['user_id'] ?? (ballot?.['veto'] === null ? null : ballot?.['user_id'])
  // A person who leaves the watchlist becomes another one in the ballots.
  if (userId === undefined || userId === null || (change.was && change.was['user_id'] !== userId)) return []
  const isGuest = rows('night_pass').some((row) => row['id'] === userId)
  const [setting] = rows('night_setting')
  const budget = isGuest ? GUEST_VETO_BUDGET : Number(setting?.['veto_budget'] ?? DEFAULT_VETO_BUDGET)
  const used =
    rows('night_veto').filter((row) => row['user_id'] === userId).length +
    rows('night_ballot').filter((row) => row['user_id'] === userId && row['veto'] !== null).length
  return used > budget ? [`${String(userId)} used ${used} vetoes of ${budget}`] : []
}

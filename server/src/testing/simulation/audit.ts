import type { CardStatus } from '@marquee/contract/entities/card'

import { auditAnnouncements } from './announcements.ts'
import type { Change, Row, Table } from './change-log.ts'
import { type Answer, type Attempt, describe, type Entry } from './clients.ts'
import { auditEffects } from './effects.ts'
import { auditEvenings } from './evenings.ts'
import { auditMedia } from './media.ts'
import type { Sent } from './outside.ts'
import { createState } from './state.ts'

export type Evidence = {
  watchlistId: string
  journal: readonly Entry[]
  /** Every change since the watchlist was created. */
  changes: readonly Change[]
  /** The last change before the first request. */
  preparedTo: number
  /** The rows of the watchlist at the end. */
  tables: Record<Table, Row[]>
  claimsWithoutReply: number
  /** What is known of announcements where the queues and what they reach are watched. */
  announced?: { waiting: readonly string[]; sent: Sent; isCalm: boolean }
}

const NEXT: Record<CardStatus, readonly CardStatus[]> = {
  SUGGESTED: ['REVEALED'],
  REVEALED: ['SUGGESTED', 'WATCHED', 'REJECTED'],
  WATCHED: [],
  REJECTED: [],
}

/** A sentence for each reply that contradicts the stored rows, and for each inconsistency of the rows. */
export function audit(evidence: Evidence): string[] {
  const { watchlistId, changes, preparedTo, tables, claimsWithoutReply, announced } = evidence
  const own = changes.filter((change) => change.watchlistId === watchlistId || change.table === 'push_message')
  return [
    ...auditAnswers(evidence),
    ...auditEffects({ ...evidence, changes: changes.filter(({ seq }) => seq > preparedTo) }),
    ...auditBox(tables),
    ...auditPeople(tables),
    ...auditHistories(tables),
    ...auditEvenings({ changes: own, journal: evidence.journal, tables }),
    ...(announced ? auditAnnouncements({ changes: own, preparedTo, ...announced }) : []),
    ...(announced ? auditMedia({ changes: own, journal: evidence.journal, tables, told: announced.sent.marks }) : []),
    ...(claimsWithoutReply === 0 ? [] : [`${claimsWithoutReply} keys are claimed and have no reply`]),
  ]
}

/** Each reply must be right for a state that was committed between the request and the reply. */
function auditAnswers({ watchlistId, journal, changes }: Evidence): string[] {
  const open = new Set<{ entry: Entry; attempt: Attempt; answer: Answer }>()
  for (const entry of journal) {
    for (const attempt of entry.attempts) if (attempt.answer) open.add({ entry, attempt, answer: attempt.answer })
  }
  const state = createState()
  const own = changes.filter((change) => change.watchlistId === watchlistId)
  for (const [n, change] of own.entries()) {
    state.apply(change)
    const until = own[n + 1]?.seq ?? Infinity
    for (const one of open) {
      const { entry, attempt, answer } = one
      const isIts = attempt.from < until && attempt.to >= change.seq
      if (isIts && state.explains(entry.by, entry.request, answer)) open.delete(one)
    }
  }
  return [...open].map(({ entry, answer }) => {
    const { message = '' } = answer.body as { message?: string }
    return `${describe(entry)} was answered ${answer.status} ${message}, which was right at no moment`
  })
}

/** The box has as many cards as its count, in slots without a gap. */
function auditBox({ watchlist, card }: Evidence['tables']): string[] {
  const slots = card
    .flatMap((row) => (row['status'] === 'SUGGESTED' ? [Number(row['selection_index'])] : []))
    .toSorted((one, other) => one - other)
  const counted = Number(watchlist[0]?.['box_count'])
  return slots.length === counted && slots.every((slot, n) => slot === n)
    ? []
    : [`The box counts ${counted} and has the slots ${slots.join(', ')}`]
}

/** Members and invitations are the same in the tables by watchlist and by user. */
function auditPeople({
  watchlist,
  member,
  person_watchlist,
  invitation,
  person_invitation,
}: Evidence['tables']): string[] {
  const ids = (rows: readonly Row[]) =>
    rows
      .map((row) => String(row['user_id']))
      .toSorted()
      .join(', ')
  const findings: string[] = []
  const counted = Number(watchlist[0]?.['member_count'])
  if (counted !== member.length) findings.push(`${member.length} members are counted as ${counted}`)
  if (ids(member) !== ids(person_watchlist))
    findings.push(`Members ${ids(member)} are ${ids(person_watchlist)} by person`)
  const waiting = person_invitation.filter((row) => row['accepted_at'] === null)
  if (ids(invitation) !== ids(waiting))
    findings.push(`Invitations of ${ids(invitation)} are of ${ids(waiting)} by person`)
  return findings
}

/** The history of a card has no gap and no impossible move, and ends with the status of the card. */
function auditHistories({ card, status_change }: Evidence['tables']): string[] {
  return card.flatMap((row) => {
    const history = status_change
      .filter((change) => change['card_id'] === row['id'])
      .toSorted((one, other) => Number(one['seq']) - Number(other['seq']))
    const statuses = history.map((change) => change['status'] as CardStatus)
    const isWhole =
      history.every((change, n) => change['seq'] === n) &&
      history.length === row['status_change_count'] &&
      statuses.at(-1) === row['status'] &&
      statuses.every((status, n) =>
        n === 0 ? status === 'SUGGESTED' : NEXT[statuses[n - 1] ?? status].includes(status),
      )
    return isWhole ? [] : [`Card ${row['id']} is ${row['status']} with the history ${statuses.join(', ')}`]
  })
}

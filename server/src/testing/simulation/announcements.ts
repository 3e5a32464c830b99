import { mentionsIn } from '@marquee/contract/rules/mentions'

import type { Change, Row, Table } from './change-log.ts'
import { added, allAdded, changed, name, removed } from './effect.ts'
import type { Sent } from './outside.ts'

type Given = {
  /** The changes of the watchlist since it was created. */
  changes: readonly Change[]
  preparedTo: number
  sent: Sent
  /** Whether nothing failed, so that nothing was sent twice. */
  isCalm: boolean
  /** The rows that still wait, by queue. */
  waiting: readonly string[]
}

/** Activities that are due at a time, not because someone did something. */
const TIMED = new Set(['night-tomorrow', 'night-starting', 'please-rate', 'arrived', 'webhook-off'])
/** What some members get in place of the others. */
const SAME_KIND: Record<string, string> = { drawn: 'revealed', mentioned: 'commented' }
/** These are pushed by default. */
const PUSHED = new Set(['drawn', 'mentioned', 'invited', 'night-planned', 'night-changed', 'night-cancelled'])

/** What happened is recorded once, and each who should hear of it does, once. */
export function auditAnnouncements(given: Given): string[] {
  const activities = given.changes.flatMap((change) => {
    const row = added(change, 'activity')
    return row && change.seq > given.preparedTo && !TIMED.has(String(row['kind'])) ? [{ row, seq: change.seq }] : []
  })
  return [
    ...given.waiting.map((queue) => `${queue} is not done`),
    ...compare(countOf(factsOf(given)), countOf(activities.map(({ row }) => nameOf(row))), 'recorded'),
    ...auditNotifications(given, activities),
    ...auditPushMessages(given),
    ...auditWebhooks(given, activities),
    ...auditMails(given),
  ]
}

/** What happened, as an activity names it. */
function factsOf({ changes, preparedTo }: Given): string[] {
  const shortlists = new Set(allAdded(changes, 'night_vote').map((vote) => vote['draw_number']))
  const shortlistedAt = new Set(
    changes.flatMap((change) => {
      const draw = changed(change, 'draw', 'revealed_at')
      return draw && shortlists.has(draw['draw_number'] ?? null) ? [draw['revealed_at']] : []
    }),
  )
  return changes.flatMap((change): string[] => {
    if (change.seq <= preparedTo) return []
    const entry = added(change, 'status_change')
    const kind = DECISIONS[String(entry?.['status'])]
    if (entry && kind !== undefined && !shortlistedAt.has(entry['changed_at'])) {
      return [`${kind} ${entry['changed_by']} ${entry['card_id']}`]
    }
    const comment = added(change, 'comment')
    if (comment) return [`commented ${name(comment, 'author_username', 'card_id')}`]
    const member = added(change, 'member')
    if (member) return [`joined ${name(member, 'username')} null`]
    const invitation = changed(change, 'person_invitation', 'token_hash')
    if (invitation) return [`invited ${name(invitation, 'invited_by')} null`]
    const night = changed(change, 'night', 'state')
    const news = NIGHT_NEWS[String(night?.['state'])]
    if (night && news !== undefined) return [`${news} ${night['id']}`]
    const vote = changed(change, 'night_vote', 'closed_at')
    const { winner } = JSON.parse(String(vote?.['result'] ?? '{}')) as { winner?: string | null }
    return vote && winner ? [`revealed ${vote['opened_by']} ${winner}`] : []
  })
}

const DECISIONS: Record<string, string> = { REVEALED: 'revealed', WATCHED: 'accepted', REJECTED: 'declined' }
const NIGHT_NEWS: Record<string, string> = {
  open: 'night-started',
  planned: 'night-planned',
  cancelled: 'night-cancelled',
}

function nameOf(activity: Row): string {
  if (activity['night_id'] !== null) return `${activity['kind']} ${activity['night_id']}`
  return `${activity['kind']} ${activity['actor']} ${activity['card_id']}`
}

type Value = string | number | null | undefined
type Activity = { row: Row; seq: number }

/** Whether an activity is still true at the end, so that it must have been announced. */
function isTrue({ changes }: Given, { row, seq }: Activity): boolean {
  const later = changes.filter((change) => change.seq > seq)
  const isOfCard = (other: Row | undefined): boolean => other !== undefined && other['card_id'] === row['card_id']
  if (row['card_id'] === null) return true
  return !later.some(
    (change) =>
      removed(change, 'card')?.['id'] === row['card_id'] ||
      (row['comment_id'] !== null && removed(change, 'comment')?.['id'] === row['comment_id']) ||
      isOfCard(removed(change, 'status_change')) ||
      (isOfCard(added(change, 'status_change')) && added(change, 'status_change')?.['status'] === 'SUGGESTED'),
  )
}

/** Who was a member at any time between two changes; `always` are those who were it before and stay to the end. */
function membersFrom(changes: readonly Change[], from: number, to: number): { ever: Row[]; always: Row[] } {
  const before = new Map<unknown, Row>()
  const joined: Row[] = []
  const moved = new Set<unknown>()
  for (const change of changes) {
    const [one, gone] = [added(change, 'member'), removed(change, 'member')]
    const row = one ?? gone
    if (!row) continue
    if (change.seq > from) moved.add(row['user_id'])
    else if (one) before.set(one['user_id'], one)
    else before.delete(row['user_id'])
    if (one && change.seq > from && change.seq <= to) joined.push(one)
  }
  const first = [...before.values()]
  return {
    ever: [...first, ...joined.filter(({ user_id: id }) => !before.has(id))],
    always: first.filter(({ user_id: id }) => !moved.has(id)),
  }
}

function auditNotifications(given: Given, activities: readonly Activity[]): string[] {
  const { changes } = given
  const creators = new Map(changes.flatMap((change) => rowOf(change, 'card', 'creator_id')))
  const comments = new Map(changes.flatMap((change) => rowOf(change, 'comment', 'content')))
  const least = new Map<string, number>()
  const most = new Map<string, number>()
  for (const activity of activities) {
    const { row, seq } = activity
    const [kind, actor, cardId] = [String(row['kind']), row['actor'], row['card_id'] ?? null]
    if (kind === 'night-started') continue
    const end = changes.find((change) => removed(change, 'activity')?.['id'] === row['id'])?.seq ?? Infinity
    const { ever, always } = membersFrom(changes, seq, end)
    const key = (userId: Value): string => `${userId} of ${kind} ${actor} ${cardId}`
    const others = ever.filter(({ username }) => username !== actor)
    const heard = kind === 'invited' ? [row['invitee_id']] : others.map((member) => member['user_id'])
    for (const userId of heard) add(most, key(userId))
    if (kind === 'invited' || !isTrue(given, activity)) continue
    const names = others.map(({ username }) => String(username))
    const mentioned = mentionsIn(String(comments.get(row['comment_id']) ?? ''), names).map(({ username }) => username)
    for (const { user_id: userId, username } of always) {
      const isReader = userId === creators.get(cardId) || mentioned.includes(String(username))
      if (username !== actor && (kind !== 'commented' || isReader)) add(least, key(userId))
    }
  }
  const made = new Map<string, number>()
  for (const change of changes) {
    const row = added(change, 'notification')
    const kind = String(row?.['kind'])
    if (!row || change.seq <= given.preparedTo || TIMED.has(kind)) continue
    add(made, `${row['user_id']} of ${SAME_KIND[kind] ?? kind} ${row['actor']} ${row['card_id']}`)
  }
  return [
    ...[...least].flatMap(([key, times]) => {
      const found = made.get(key) ?? 0
      return found < times ? [`${times} notifications are due to ${key}, and ${found} were made`] : []
    }),
    ...[...made].flatMap(([key, times]) => {
      const allowed = most.get(key) ?? 0
      return times > allowed ? [`${allowed} notifications may go to ${key}, and ${times} were made`] : []
    }),
  ]
}

/** The device of a member gets each notification that is pushed by default. */
function auditPushMessages({ changes, sent, isCalm }: Given): string[] {
  const messages = allAdded(changes, 'push_message')
  const devices = new Set(messages.map((row) => row['user_id']))
  const due = changes.flatMap((change) => {
    const row = added(change, 'notification')
    return row && devices.has(row['user_id']) && PUSHED.has(String(row['kind'])) ? [String(row['id'])] : []
  })
  const findings = compare(
    countOf(due),
    countOf(
      messages.flatMap((row) => (due.includes(String(row['notification_id'])) ? [String(row['notification_id'])] : [])),
    ),
    'pushed',
  )
  if (isCalm && sent.pushes.length > messages.length)
    findings.push(`${messages.length} push messages were sent ${sent.pushes.length} times`)
  return findings
}

/** A webhook reports each activity of its kinds, once. */
function auditWebhooks(given: Given, activities: readonly Activity[]): string[] {
  const { changes, sent, isCalm } = given
  const ends = new Map<string, Row>()
  for (const { table, is } of changes) if (table === 'webhook_delivery' && is) ends.set(String(is['id']), is)
  const times = countOf(sent.webhooks.map((id) => id.replace('msg_', '')))
  const findings: string[] = []
  for (const activity of activities) {
    const { row } = activity
    const isReported = row['kind'] !== 'invited' && isTrue(given, activity)
    if (isReported && !ends.has(String(row['id']))) findings.push(`${nameOf(row)} is in no message of the webhook`)
  }
  for (const [id, row] of ends) {
    const received = times.get(id) ?? 0
    if (row['state'] === 'delivered' && received === 0) findings.push(`The message ${id} was delivered to no one`)
    if (isCalm && received > 1) findings.push(`The message ${id} was sent ${received} times`)
  }
  for (const id of times.keys()) if (!ends.has(id)) findings.push(`The message ${id} was sent and is not known`)
  return findings
}

/** Each member has a mail about a planned night, and no mail is sent twice. */
function auditMails({ changes, preparedTo, sent, isCalm }: Given): string[] {
  const findings: string[] = []
  if (isCalm) {
    for (const [id, times] of countOf(sent.mails.map((mail) => mail.id))) {
      if (times > 1) findings.push(`The mail ${id} was sent ${times} times`)
    }
  }
  for (const change of changes) {
    const night = added(change, 'night')
    if (!night || change.seq <= preparedTo || night['state'] !== 'planned') continue
    const about = sent.mails.filter(({ text }) => new RegExp(String.raw`\b${night['place']}\b`, 'u').test(text))
    const { always } = membersFrom(changes, preparedTo, change.seq)
    for (const { user_id: userId } of always) {
      const isPlanner = always.some((row) => row['user_id'] === userId && row['username'] === night['created_by'])
      const mails = new Set(about.filter(({ to }) => to.startsWith(String(userId))).map(({ id }) => id))
      if (!isPlanner && mails.size === 0) findings.push(`${userId} has no mail about ${night['place']}`)
    }
  }
  return findings
}

function rowOf(change: Change, table: Table, column: string): [Value, Value][] {
  const row = added(change, table)
  return row ? [[row['id'], row[column]]] : []
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const each of names) add(counts, each)
  return counts
}

function compare(happened: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>, what: string): string[] {
  return [...new Set([...happened.keys(), ...found.keys()])].flatMap((key) => {
    const [wanted, times] = [happened.get(key) ?? 0, found.get(key) ?? 0]
    return wanted === times ? [] : [`${key} happened ${wanted} times and was ${what} ${times} times`]
  })
}

import type { Card } from '@marquee/contract/entities/card'

import type { Change } from './change-log.ts'
import { describe, type Entry } from './clients.ts'
import { added, anyCause, changed, type Effect, name, type Of, removed, replyOf, type Setting } from './effect.ts'
import { EVENING_EFFECTS, isImported } from './evening-effects.ts'
import type { EveningKind } from './evening-requests.ts'
import { MEDIA_EFFECTS } from './media-effects.ts'
import type { Request } from './requests.ts'

type Kind = Request['kind']

/** The kinds of requests whose effects are compared with their replies. */
type Changing =
  | keyof typeof EVENING_EFFECTS
  | keyof typeof MEDIA_EFFECTS
  | Exclude<Kind, EveningKind | 'read' | 'count'>

const EFFECTS: { [K in Changing]: Effect<K> } = {
  add: {
    made: (change) => name(added(change, 'card'), 'creator_username', 'title'),
    asked: ({ title }, { by }) => `${by.username} ${title}`,
    hasOtherCauses: ({ is }) => isImported(is),
  },
  reveal: {
    made: (change, { shown, drawnAt }) => {
      const entry = added(change, 'status_change')
      const isOfOther = drawnAt.has(entry?.['changed_at']) || (entry?.['seq'] === 1 && shown.has(entry['card_id']))
      const isItsOwn = entry?.['status'] === 'REVEALED' && !isOfOther
      return isItsOwn ? name(entry, 'changed_by', 'card_id') : undefined
    },
    asked: (_request, entry) => {
      const revealed = replyOf(entry) as Card | undefined
      return revealed && `${entry.by.username} ${revealed.id}`
    },
  },
  move: {
    made: (change, { putBackAt }) => {
      const entry = added(change, 'status_change')
      return entry?.['status'] === 'REVEALED' || entry?.['seq'] === 0 || putBackAt.has(entry?.['changed_at'])
        ? undefined
        : name(entry, 'changed_by', 'card_id', 'status')
    },
    asked: ({ cardId, to }, { by }) => `${by.username} ${cardId} ${to}`,
  },
  edit: {
    made: (change) => (change.was ? name(changed(change, 'card', 'title'), 'id', 'title') : undefined),
    asked: ({ cardId, title }) => `${cardId} ${title}`,
    isIdempotent: true,
  },
  delete: {
    made: (change) => name(removed(change, 'card'), 'id'),
    asked: ({ cardId }) => cardId,
    // An undone import removes its cards.
    hasOtherCauses: ({ was }) => isImported(was),
  },
  comment: {
    made: (change) => name(added(change, 'comment'), 'author_username', 'card_id', 'content'),
    asked: ({ cardId, content }, { by }) => `${by.username} ${cardId} ${content}`,
  },
  'edit-comment': {
    made: (change) => (change.was ? name(changed(change, 'comment', 'content'), 'id', 'content') : undefined),
    asked: ({ commentId, content }) => `${commentId} ${content}`,
    isIdempotent: true,
  },
  'delete-comment': {
    made: (change) => name(removed(change, 'comment'), 'id'),
    asked: ({ commentId }) => commentId,
    // Deleting a card also deletes its comments.
    hasOtherCauses: anyCause,
  },
  invite: {
    made: (change) => name(changed(change, 'person_invitation', 'token_hash'), 'invited_by', 'username'),
    asked: ({ username }, { by }) => `${by.username} ${username}`,
  },
  accept: {
    made: (change) => name(added(change, 'member'), 'username'),
    asked: (_request, { by }) => by.username,
    isIdempotent: true,
  },
  decline: {
    made: (change) => name(removed(change, 'invitation'), 'username'),
    asked: (_request, { by }) => by.username,
    hasOtherCauses: anyCause,
  },
  withdraw: {
    made: (change) => name(removed(change, 'invitation'), 'username'),
    asked: ({ username }) => username,
    hasOtherCauses: anyCause,
  },
  remove: {
    made: (change) => name(removed(change, 'member'), 'username'),
    asked: ({ username }) => username,
  },
  create: {
    made: (change) => name(added(change, 'watchlist'), 'owner_username', 'name'),
    asked: ({ name: called }, { by }) => `${by.username} ${called}`,
    isElsewhere: true,
  },
  ...EVENING_EFFECTS,
  ...MEDIA_EFFECTS,
}

/** Compares the effects of requests with their replies. `changes` are those since the first request. */
export function auditEffects({
  watchlistId,
  journal,
  changes,
}: {
  watchlistId: string
  journal: readonly Entry[]
  changes: readonly Change[]
}): string[] {
  const own = changes.filter((change) => change.watchlistId === watchlistId)
  const setting = settingOf(own)
  return Object.entries(EFFECTS).flatMap(([kind, anyEffect]) => {
    const effect = anyEffect as Effect<Changing>
    const made = new Map<string, Change[]>()
    for (const change of effect.isElsewhere === true ? changes : own) {
      const called = effect.made(change, setting)
      if (called !== undefined) made.set(called, [...(made.get(called) ?? []), change])
    }
    const entries = journal.filter(({ request }) => request.kind === kind)
    return auditEffect(effect, entries, made).map((finding) => `${kind}: ${finding}`)
  })
}

function settingOf(changes: readonly Change[]): Setting {
  const shown = new Set(
    changes.flatMap((change) => (added(change, 'card')?.['status'] === 'REVEALED' ? [change.is?.['id']] : [])),
  )
  const drawnAt = new Set(
    changes.flatMap((change) => (change.was && changed(change, 'draw', 'revealed_at')?.['revealed_at']) ?? []),
  )
  const putBackAt = new Set(
    changes.flatMap(
      (change) =>
        changed(change, 'night_vote', 'closed_at')?.['closed_at'] ?? added(change, 'night_veto')?.['vetoed_at'] ?? [],
    ),
  )
  return { shown, drawnAt, putBackAt }
}

/** `made` has the changes by the name of their effect. */
function auditEffect(
  effect: Effect<Changing>,
  entries: readonly Entry[],
  made: ReadonlyMap<string, readonly Change[]>,
): string[] {
  const findings: string[] = []
  const asked = new Map<string, { least: number; most: number }>()
  // Effects without a known request may belong to requests whose replies were lost.
  let spare = 0
  for (const entry of entries) {
    const { least, most } = timesOf(entry)
    const called = effect.asked(entry.request as Of<Changing>, entry)
    if (called === undefined) {
      spare += most
      continue
    }
    const before = asked.get(called) ?? { least: 0, most: 0 }
    asked.set(called, { least: before.least + least, most: before.most + most })
    for (const { to, answer } of entry.attempts) {
      const isKept = effect.isElsewhere === true || made.get(called)?.some(({ seq }) => seq <= to)
      if (answer && answer.status < 300 && isKept !== true)
        findings.push(`${describe(entry)} succeeded and was not there`)
    }
  }
  for (const [called, { least }] of asked) {
    const times = made.get(called)?.length ?? 0
    const needed = effect.isIdempotent ? Math.min(least, 1) : least
    if (times < needed) findings.push(`${called} is there ${times} times and succeeded ${needed} times`)
  }
  for (const [called, times] of made) {
    const unexcused = times.filter((change) => effect.hasOtherCauses?.(change) !== true).length
    spare -= Math.max(0, unexcused - (asked.get(called)?.most ?? 0))
  }
  if (spare < 0) findings.push(`${-spare} times more than was asked for`)
  return findings
}

/** How often a request can have taken effect, by its replies. */
function timesOf({ isKeyed, attempts }: Entry): { least: number; most: number } {
  const successes = attempts.filter(({ answer }) => answer && answer.status < 300).length
  const lost = attempts.filter(({ answer }) => !answer || answer.isSentBefore).length
  if (!isKeyed) return { least: successes, most: successes + lost }
  if (successes > 0) return { least: 1, most: 1 }
  // A user who is no longer a member does not learn the result.
  const isHidden = lost > 0 && attempts.at(-1)?.answer?.status === 403
  return { least: 0, most: isHidden ? 1 : 0 }
}

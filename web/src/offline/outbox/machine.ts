import { KEY_REMEMBERED_MS } from '@marquee/contract/limits'

import type { Action } from './actions.ts'

/** A refused item says why. `message` is the server's, in the language that the page had. */
export type Refusal = { reason: 'gone' | 'membership' | 'said' | 'needs' | 'unsure'; message?: string }

export type Item = {
  readonly id: string
  readonly userId: string
  /** The Idempotency-Key that it was born with. */
  readonly key: string
  /** Its place in the order of birth. */
  readonly order: number
  readonly action: Action
  /** The title of the movie, or the time of the night. */
  readonly title: string
  readonly state: 'waiting' | 'sending' | 'refused'
  /** The tab that sends it. */
  readonly by?: string | undefined
  /** It is being sent for the first time, where the user has just pressed the button. */
  readonly isFresh?: boolean | undefined
  /** How often it may have reached the server without an answer that came back. */
  readonly tries: number
  /** When it may first have reached the server. */
  readonly triedAt?: number | undefined
  /** The comment of this id has no id at the server yet, and this changes it. */
  readonly needs?: string | undefined
  readonly refusal?: Refusal | undefined
  /** It was refused, and an earlier try may have reached the server. */
  readonly mayBeDone?: boolean | undefined
}

export type Items = readonly Item[]

/** Whether this version of the app can do it. A tab of a later one may have kept it here. */
export type Knows = (action: Action) => boolean

type Birth = Pick<Item, 'id' | 'userId' | 'key' | 'action' | 'title'> & { readonly needs?: string | undefined }

export type Event =
  /** The user did something. With `by`, this tab sends it at once if nothing waits before it. */
  | { kind: 'born'; birth: Birth; by?: string | undefined; at: number }
  | { kind: 'begun'; id: string; by: string; at: number }
  /** The server did it. `commentId` is that of a comment. */
  | { kind: 'done'; id: string; commentId?: string | undefined }
  /** No answer, or one that says nothing about whether it was done. */
  | { kind: 'unanswered'; id: string }
  /** It did not leave this device, or the server said at once that it did nothing. */
  | { kind: 'unsent'; id: string }
  | { kind: 'refused'; id: string; refusal: Refusal }
  /** These are the tabs that live. What another one was sending waits again. */
  | { kind: 'counted'; living: ReadonlySet<string> }
  /** The server no longer remembers keys of this age. */
  | { kind: 'aged'; at: number }
  /** The user takes it back, or has read why it was refused. */
  | { kind: 'discarded'; id: string }
  | { kind: 'retried'; id: string }

/** The clocks of server and device may run at a different speed. */
const MARGIN_MS = 60 * 60_000

/** What depends on order shares a lane: what is done to one card, or to one night. A kind of a later version has its lane, too. */
export function laneOf(action: Action, id: string): string {
  if ('cardId' in action) return `card ${action.watchlistId} ${action.cardId}`
  if ('nightId' in action) return `night ${action.nightId}`
  return `movie ${id}`
}

/** The user may take it back: it has never left this device. */
export function isRemovable({ state, tries }: Item): boolean {
  return state === 'waiting' && tries === 0
}

/** The comment that this changes is still here. */
export function canRetry(items: Items, item: Item): boolean {
  return item.state === 'refused' && (item.needs === undefined || items.some(({ id }) => id === item.needs))
}

/**
 * The first item that may be sent, in the order of birth: within a lane, only the first that is not refused. What this version
 * does not know is left to a later one, with all that waits behind it.
 */
export function nextItem(items: Items, skipped: ReadonlySet<string>, knows: Knows): Item | undefined {
  const busy = new Set(skipped)
  for (const item of items) {
    if (item.state === 'refused') continue
    const lane = laneOf(item.action, item.id)
    const isFree = !busy.has(lane) && item.state === 'waiting' && item.needs === undefined
    if (isFree && knows(item.action)) return item
    busy.add(lane)
  }
  return undefined
}

/** What the items are after an event. Items are sorted by their birth. */
export function step(items: Items, event: Event): Items {
  switch (event.kind) {
    case 'born':
      return born(items, event)
    case 'begun':
      return change(items, event.id, (item) =>
        item.state === 'waiting' ? begun({ ...item, isFresh: undefined }, event.by, event.at) : item,
      )
    case 'done':
      return items
        .filter(({ id }) => id !== event.id)
        .map((item) => (item.needs === event.id ? answeredFor(item, event.commentId) : item))
    case 'unanswered':
      return change(items, event.id, waiting)
    case 'unsent':
      return change(items, event.id, (item) => (item.state === 'sending' ? untried(waiting(item)) : item))
    case 'refused':
      return refused(items, event.id, event.refusal)
    case 'counted':
      return items.map((item) => (item.state === 'sending' && !event.living.has(item.by ?? '') ? waiting(item) : item))
    case 'aged':
      return aged(items, event.at)
    case 'discarded':
      return items.filter((item) => item.id !== event.id || !(item.state === 'refused' || isRemovable(item)))
    case 'retried':
      return retried(items, event.id)
  }
}

function change(items: Items, id: string, how: (item: Item) => Item): Items {
  return items.map((item) => (item.id === id ? how(item) : item))
}

function begun(item: Item, by: string, at: number): Item {
  return { ...item, state: 'sending', by, tries: item.tries + 1, triedAt: item.triedAt ?? at }
}

function waiting(item: Item): Item {
  return item.state === 'sending' ? { ...item, state: 'waiting', by: undefined, isFresh: undefined } : item
}

function untried(item: Item): Item {
  const tries = Math.max(0, item.tries - 1)
  return { ...item, tries, triedAt: tries === 0 ? undefined : item.triedAt }
}

function answeredFor(item: Item, commentId: string | undefined): Item {
  if (item.action.kind !== 'edit' || commentId === undefined) return item
  return { ...item, needs: undefined, action: { ...item.action, commentId } }
}

function born(items: Items, { birth, by, at }: Extract<Event, { kind: 'born' }>): Items {
  const merged = merge(items, birth)
  if (merged !== undefined) return merged
  const lane = laneOf(birth.action, birth.id)
  const isBehind = items.some((item) => item.state !== 'refused' && laneOf(item.action, item.id) === lane)
  const item: Item = { ...birth, order: (items.at(-1)?.order ?? 0) + 1, state: 'waiting', tries: 0 }
  const isSent = by !== undefined && !isBehind && birth.needs === undefined
  return [...items, isSent ? begun({ ...item, isFresh: true }, by, at) : item]
}

/** What replaces something that never left this device takes its place. What did leave must be answered first. */
function merge(items: Items, { action, needs }: Birth): Items | undefined {
  const replaced = items.findLast((item) => isRemovable(item) && isReplacedBy(item, action, needs))
  if (replaced === undefined) return undefined
  return change(items, replaced.id, (item) => ({ ...item, action: together(item.action, action) }))
}

function together(before: Action, action: Action): Action {
  if (before.kind === 'comment' && action.kind === 'edit') return { ...before, content: action.content }
  // Only that the movie was seen: a rating says so, too. The server keeps one as well.
  const isOnlyMark = action.kind === 'viewing' && Object.keys(action.body).length === 0
  return isOnlyMark ? before : action
}

function isReplacedBy({ id, action: before, needs: neededBefore }: Item, action: Action, needs?: string): boolean {
  if (action.kind === 'edit' && before.kind === 'comment') return id === needs
  if (before.kind === 'edit' && action.kind === 'edit') {
    return needs === undefined ? before.commentId === action.commentId : neededBefore === needs
  }
  if (before.kind === 'answer' && action.kind === 'answer') {
    return before.nightId === action.nightId && before.startsAt === action.startsAt
  }
  const setsTheSame = (action.kind === 'move' || action.kind === 'viewing') && before.kind === action.kind
  return setsTheSame && before.cardId === action.cardId && before.watchlistId === action.watchlistId
}

/** What comes later on a card that is gone, or on a comment that does not exist, is refused with it. */
function refused(items: Items, id: string, refusal: Refusal): Items {
  const first = items.find((item) => item.id === id)
  if (first === undefined || first.state === 'refused') return items
  const lane = laneOf(first.action, first.id)
  return items.map((item) => {
    if (item.id === id) return refuse(item, refusal)
    if (item.needs === id) return refuse(item, { reason: 'needs' })
    const isLater = item.order > first.order && laneOf(item.action, item.id) === lane
    return isLater && item.state === 'waiting' && refusal.reason === 'gone' ? refuse(item, refusal) : item
  })
}

function refuse(item: Item, refusal: Refusal): Item {
  const mayBeDone = item.tries > (item.state === 'sending' ? 1 : 0)
  return { ...item, state: 'refused', by: undefined, isFresh: undefined, refusal, mayBeDone }
}

function aged(items: Items, at: number): Items {
  const isForgotten = ({ state, triedAt }: Item) =>
    state === 'waiting' && triedAt !== undefined && at - triedAt > KEY_REMEMBERED_MS - MARGIN_MS
  return items.filter(isForgotten).reduce<Items>((now, { id }) => refused(now, id, { reason: 'unsure' }), items)
}

/** With its own key: where the server still remembers it, nothing happens twice. */
function retried(items: Items, id: string): Items {
  const item = items.find((one) => one.id === id)
  if (item === undefined || !canRetry(items, item)) return items
  const again = new Set([id, item.needs])
  const isRetried = (one: Item) =>
    again.has(one.id) || (one.needs !== undefined && again.has(one.needs) && one.refusal?.reason === 'needs')
  return items.map((one) =>
    one.state === 'refused' && isRetried(one)
      ? { ...one, state: 'waiting', refusal: undefined, tries: one.tries === 0 ? 0 : 1, triedAt: undefined }
      : one,
  )
}

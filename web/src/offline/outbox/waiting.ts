import { useSyncExternalStore } from 'react'

import type { Kept } from '#web/api/kept.ts'
import { session } from '#web/session/session.ts'

import { type Action, type ActionKind, type ActionOf, type ReplyTo, sendAction, type Sending } from './actions.ts'
import type { Item, Items } from './machine.ts'
import type { Outbox } from './outbox.ts'

const NONE: Items = []
const listeners = new Set<() => void>()
let shown: Items = NONE
let moving: ReadonlySet<string> = new Set()
let byPlace: ReadonlyMap<string, Items> = new Map()

/** What was just done shows by itself while the server is asked. */
function isShown({ state, isFresh }: Item): boolean {
  return state !== 'sending' || isFresh !== true
}

/** The place of the screen where an item shows. */
function placeOf({ action }: Item): string {
  switch (action.kind) {
    case 'movie':
      return action.watchlistId
    case 'answer':
      return action.nightId
    default:
      return action.cardId
  }
}

function show(items: Items): void {
  shown = items.filter(isShown)
  const next = new Map<string, Items>()
  for (const item of shown) next.set(placeOf(item), [...(next.get(placeOf(item)) ?? []), item])
  byPlace = next
  moving = new Set(
    shown.flatMap(({ action, state }) => (action.kind === 'move' && state !== 'refused' ? [action.cardId] : [])),
  )
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What waits at a card, a night or, for new movies, a watchlist; or was refused. By its id. */
export function useWaiting(placeId: string): Items {
  return useSyncExternalStore(subscribe, () => byPlace.get(placeId) ?? NONE)
}

/** The cards about which the user has decided, which the server does not know yet. */
export function useMoving(): ReadonlySet<string> {
  return useSyncExternalStore(subscribe, () => moving)
}

/** All that waits or was refused. */
export function useAllWaiting(): Items {
  return useSyncExternalStore(subscribe, () => shown)
}

type Settle = (action: Action, reply: unknown) => void
const settlers = new Set<Settle>()

/** Calls back with the answers to what has waited. */
export function onSettled(settle: Settle): () => void {
  settlers.add(settle)
  return () => settlers.delete(settle)
}

let open: { userId: string; outbox: Promise<Outbox> } | undefined

function settleAll(action: Action, reply: unknown): void {
  for (const settle of settlers) settle(action, reply)
}

/** The outbox of the signed-in user. Its code is not needed for a first screen. */
export async function openOutbox(): Promise<Outbox> {
  const current = session.current()
  if (current.state !== 'signed-in') throw new Error('Only users have an outbox')
  const { userId } = current.user
  if (open?.userId !== userId) {
    show(NONE)
    const outbox = import('./open-outbox.ts').then(({ startOutbox }) => startOutbox(userId, show, settleAll))
    open = { userId, outbox }
    outbox.catch(() => {
      open = undefined
    })
  }
  return open.outbox
}

type How = Pick<Sending, 'idempotencyKey' | 'signal' | 'onProgress'> & { title: string; needs?: string | undefined }

/** Does something now, or keeps it until there is a connection. If nothing can be kept here, it fails without one. */
export async function perform<K extends ActionKind>(action: ActionOf<K>, how: How): Promise<ReplyTo[K] | Kept> {
  const outbox = await openOutbox().catch(() => undefined)
  if (outbox !== undefined) return outbox.perform(action, how)
  const { idempotencyKey, signal, onProgress } = how
  return sendAction(action, { idempotencyKey, signal, onProgress })
}

/** How many things would be lost if this device forgot what is not sent. */
export async function countWaiting(): Promise<number> {
  return openOutbox().then(
    async (outbox) => outbox.count(),
    () => 0,
  )
}

/** Removes what the user has not sent from this device. */
export async function forgetWaiting(): Promise<void> {
  await openOutbox().then(
    async (outbox) => outbox.clear(),
    () => undefined,
  )
}

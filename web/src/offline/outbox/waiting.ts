import { useSyncExternalStore } from 'react'

import type { Kept } from '#web/api/kept.ts'
import { networkFailure } from '#web/api/problem.ts'
import { session } from '#web/session/session.ts'

import type { Action, ActionKind, ActionOf, ReplyTo, Sending } from './actions.ts'
import type { Items } from './machine.ts'
import type { Outbox } from './outbox.ts'
import type { Shown } from './shown.ts'

const NONE: Items = []
const NOTHING: Shown = { all: NONE, byPlace: new Map(), moving: new Set() }
const listeners = new Set<() => void>()
let shown = NOTHING
/** The user to whom `shown` belongs. */
let owner: string | undefined

function show(userId: string, next: Shown): void {
  // While the server is asked, mostly nothing is shown.
  if (next.all.length + shown.all.length === 0) return
  owner = userId
  shown = next
  for (const listener of listeners) listener()
}

/** Until the items of the next user are read, those of the user before are still here. */
function ownShown(): Shown {
  const current = session.current()
  return current.state === 'signed-in' && current.user.userId === owner ? shown : NOTHING
}

function useShown<T>(pick: (shown: Shown) => T): T {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pick(ownShown()),
  )
}

/** What waits at a card, a night or, for new movies, a watchlist; or was refused. By its id. */
export const useWaiting = (placeId: string) => useShown(({ byPlace }) => byPlace.get(placeId) ?? NONE)

/** The cards about which the user has decided, which the server does not know yet. */
export const useMoving = () => useShown(({ moving }) => moving)

/** Whether the user has decided about a card, which the server does not know yet. */
export const useIsMoving = (cardId: string) => useShown(({ moving }) => moving.has(cardId))

/** All that waits or was refused. */
export const useAllWaiting = () => useShown(({ all }) => all)

type Settle = (action: Action, reply: unknown) => void
/** They show what waits, and get the answers to it. Nothing is kept that could not be shown. */
export const settlers = new Set<Settle>()

const settle: Settle = (action, reply) => {
  for (const one of settlers) one(action, reply)
}

let open: { userId: string; outbox: Promise<Outbox> } | undefined

/** The outbox of the signed-in user. Its code is not needed for a first screen. */
export async function openOutbox(): Promise<Outbox> {
  const current = session.current()
  if (current.state !== 'signed-in') throw new Error('Only users have an outbox')
  const { userId } = current.user
  if (open?.userId !== userId) {
    show(userId, NOTHING)
    const publish = (next: Shown) => show(userId, next)
    const outbox = import('./open-outbox.ts').then(async ({ startOutbox }) => startOutbox(userId, publish, settle))
    open = { userId, outbox }
    outbox.catch(() => {
      open = undefined
    })
  }
  return open.outbox
}

type How = Pick<Sending, 'idempotencyKey' | 'signal' | 'onProgress'> & { title: string; needs?: string | undefined }

/** Undefined if nothing can be kept here. */
export const keepingOutbox = async () => (settlers.size === 0 ? undefined : openOutbox().catch(() => undefined))

/** Does something now, or keeps it until there is a connection. If nothing can be kept here, it fails without one. */
export async function perform<K extends ActionKind>(action: ActionOf<K>, how: How): Promise<ReplyTo[K] | Kept> {
  const outbox = await keepingOutbox()
  if (outbox !== undefined) return outbox.perform(action, how)
  const { sendAction } = await import('./actions.ts').catch((error: unknown) => {
    throw networkFailure(error)
  })
  const { title: _, needs: __, ...sending } = how
  return sendAction(action, sending)
}

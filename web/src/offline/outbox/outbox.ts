import { isApiError } from '#web/api/api-error.ts'
import { KEPT, type Kept } from '#web/api/kept.ts'

import type { Action, ActionKind, ActionOf, ReplyTo, Sending } from './actions.ts'
import { type Event, type Item, type Items, type Knows, laneOf, nextItem, type Refusal } from './machine.ts'
import type { Store } from './store.ts'

const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 5 * 60_000
const LONGEST_OVERTAKING_MS = 10_000
/** A server that is out of service, or a proxy without a server: whether it was done is not known. */
const OUT_OF_SERVICE = new Set([502, 503, 504])

/** Tells the other tabs: the items have changed, and what the server answered. */
export type OutboxChange = { answered?: { action: Action; reply: unknown } }

export type OutboxPorts = {
  userId: string
  /** The name of this tab, which no other tab has. */
  tab: string
  store: Store
  send: (action: Action, how: Sending) => Promise<unknown>
  knows: Knows
  /** The server is in reach, and this user is signed in. */
  canSend: () => boolean
  /** Runs while no other tab does. */
  alone: (work: () => Promise<void>) => Promise<void>
  livingTabs: () => Promise<ReadonlySet<string>>
  announce: (change: OutboxChange) => void
  later: (ms: number, work: () => void) => void
  now: () => number
  newId: () => string
  /** Shows the items. */
  show: (items: Items) => void
  /** Shows what the server answered to an item that has waited. */
  settle: (action: Action, reply: unknown) => void
}

export type Outbox = {
  perform: <K extends ActionKind>(
    action: ActionOf<K>,
    how: Pick<Sending, 'idempotencyKey' | 'signal' | 'onProgress'> & { title: string; needs?: string | undefined },
  ) => Promise<ReplyTo[K] | Kept>
  discard: (id: string) => Promise<void>
  retry: (id: string) => Promise<void>
  /** Sends what waits, if it can. */
  send: () => Promise<void>
  /**
   * Sends what a call that cannot wait would replace, since it must not arrive after that call. False if the server has not
   * answered all of it: then it still waits.
   */
  overtake: (replaces: (action: Action) => boolean) => Promise<boolean>
  /** Another tab has changed the items. */
  hear: (change: OutboxChange) => Promise<void>
  clear: () => Promise<void>
  /** How many items would be lost if this device forgot them. */
  count: () => Promise<number>
}

type Verdict = { is: 'unanswered' | 'failing' | 'unsent' | 'done' } | { is: 'refused'; refusal: Refusal }

/** What a failed attempt says about an item that waits. */
function verdictOn(error: unknown, { kind }: Action): Verdict {
  if (!isApiError(error) || error.kind === 'NETWORK_ERROR') return { is: 'unanswered' }
  const { status, message } = error
  // The session is over, or its token could not be renewed.
  if (status === 401 || status === undefined) return { is: 'unsent' }
  // The server did it, and says so in words of another version.
  if (status < 300) return { is: 'done' }
  if (status >= 500 || status === 429) return { is: 'failing' }
  // A comment may be gone from a card that is still there.
  if (status === 404 && kind !== 'edit') return { is: 'refused', refusal: { reason: 'gone' } }
  if (status === 403) return { is: 'refused', refusal: { reason: 'membership' } }
  return { is: 'refused', refusal: { reason: 'said', message } }
}

/** Without an answer from Marquee, what the user has just done is kept. Any other failure is shown where it was done. */
function isUnanswered(error: unknown): boolean {
  if (!isApiError(error)) return false
  return error.kind === 'NETWORK_ERROR' || (error.status !== undefined && OUT_OF_SERVICE.has(error.status))
}

function commentIdIn(reply: unknown): string | undefined {
  const id = (reply as { commentId?: unknown } | undefined)?.commentId
  return typeof id === 'string' ? id : undefined
}

/** Changes the items, in this tab and on the screens of all. */
function changesOf({ userId, store, show, announce }: OutboxPorts) {
  const apply = async (event: Event): Promise<Items> => {
    const items = await store.apply(userId, event)
    show(items)
    return items
  }
  const applyAndAnnounce = async (event: Event, answered?: OutboxChange['answered']): Promise<void> => {
    await apply(event)
    announce(answered === undefined ? {} : { answered })
  }
  return { apply, applyAndAnnounce }
}

type Changes = ReturnType<typeof changesOf>

/** Sends what waits, one after the other. */
function senderOf(ports: OutboxPorts, { apply, applyAndAnnounce }: Changes) {
  const { userId, tab, store } = ports
  let retryMs = FIRST_RETRY_MS
  let isRetrying = false

  const send = async () => ports.alone(sendAll)

  function retryLater(): void {
    if (isRetrying) return
    isRetrying = true
    ports.later(retryMs, () => {
      isRetrying = false
      void send().catch(() => undefined)
    })
    retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)
  }

  /** Sends one item that has waited. */
  async function attempt({ id, key, action }: Item): Promise<Verdict['is']> {
    try {
      const reply = await ports.send(action, { idempotencyKey: key, hasWaited: true })
      // What waited goes before its answer shows, so that nothing is on the screen twice.
      await applyAndAnnounce({ kind: 'done', id, commentId: commentIdIn(reply) }, { action, reply })
      ports.settle(action, reply)
      retryMs = FIRST_RETRY_MS
      return 'done'
    } catch (error) {
      const verdict = verdictOn(error, action)
      if (verdict.is === 'refused') await applyAndAnnounce({ kind: 'refused', id, refusal: verdict.refusal })
      else if (verdict.is === 'done') await applyAndAnnounce({ kind: 'done', id })
      else await applyAndAnnounce({ kind: verdict.is === 'unsent' ? 'unsent' : 'unanswered', id })
      return verdict.is
    }
  }

  async function sendAll(): Promise<void> {
    const skipped = new Set<string>()
    await apply({ kind: 'counted', living: await ports.livingTabs() })
    let items = await apply({ kind: 'aged', at: ports.now() })
    while (ports.canSend()) {
      const next = nextItem(items, skipped, ports.knows)
      if (next === undefined) break
      const begun = await apply({ kind: 'begun', id: next.id, by: tab, at: ports.now() })
      const item = begun.find(({ id }) => id === next.id)
      // The user may have taken it back in another tab.
      if (item?.state === 'sending' && item.by === tab) {
        ports.announce({})
        const is = await attempt(item)
        if (is !== 'done' && is !== 'refused') retryLater()
        if (is === 'unanswered' || is === 'unsent') break
        if (is === 'failing') skipped.add(laneOf(item.action, item.id))
      }
      items = await store.read(userId)
    }
  }

  return { send, retryLater }
}

/** Keeps what a user does until the server has answered, and sends it in order. */
export function createOutbox(ports: OutboxPorts): Outbox {
  const { userId, tab, store } = ports
  const changes = changesOf(ports)
  const { apply, applyAndAnnounce } = changes
  const { send, retryLater } = senderOf(ports, changes)
  const sendSoon = () => void send().catch(() => undefined)
  return {
    perform: async (action, { title, needs, idempotencyKey: key, signal, onProgress }) => {
      const id = ports.newId()
      const by = ports.canSend() ? tab : undefined
      const sendNow = async () =>
        (await ports.send(action, { idempotencyKey: key, signal, onProgress })) as ReplyTo[typeof action.kind]
      let items: Items
      try {
        items = await apply({ kind: 'born', birth: { id, userId, key, action, title, needs }, by, at: ports.now() })
      } catch {
        // A full disk, say. Nothing is kept, so without an answer this fails where it was done.
        return sendNow()
      }
      const item = items.find((one) => one.id === id)
      if (item?.state !== 'sending') {
        ports.announce({})
        sendSoon()
        return KEPT
      }
      // If it cannot be noted, the item is sent again one day, and its key tells the server.
      const noteDone = async (commentId?: string) => apply({ kind: 'done', id, commentId }).catch(() => undefined)
      try {
        const reply = await sendNow()
        await noteDone(commentIdIn(reply))
        sendSoon()
        return reply
      } catch (error) {
        if (!isUnanswered(error)) {
          // It is shown where it was done, with what was typed.
          await noteDone()
          sendSoon()
          throw error
        }
        await applyAndAnnounce({ kind: 'unanswered', id })
        retryLater()
        return KEPT
      }
    },
    discard: async (id) => applyAndAnnounce({ kind: 'discarded', id }),
    retry: async (id) => {
      await applyAndAnnounce({ kind: 'retried', id })
      await send()
    },
    send,
    overtake: async (replaces) => {
      const isClear = async () =>
        (await store.read(userId)).every(({ action, state }) => state === 'refused' || !replaces(action))
      if (await isClear()) return true
      if (!ports.canSend()) return false
      // What waits for other cards may take longer.
      await Promise.race([send(), new Promise<void>((resolve) => ports.later(LONGEST_OVERTAKING_MS, resolve))])
      return isClear()
    },
    hear: async ({ answered }) => {
      ports.show(await store.read(userId))
      if (answered !== undefined) ports.settle(answered.action, answered.reply)
    },
    clear: async () => {
      await store.clear(userId)
      ports.show([])
      ports.announce({})
    },
    count: async () => (await store.read(userId)).length,
  }
}

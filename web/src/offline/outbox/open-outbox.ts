import '#web/i18n/outbox-texts.ts'
import { connection } from '#web/api/connection.ts'
import { newIdempotencyKey } from '#web/api/idempotency.ts'
import { claimsOf } from '#web/session/kept-tokens.ts'
import { session } from '#web/session/session.ts'

import { type Action, isKnown, type Sending, sendAction } from './actions.ts'
import type { Items } from './machine.ts'
import { createOutbox, type OutboxChange, type Outbox } from './outbox.ts'
import { type Shown, shownOf } from './shown.ts'
import { store } from './store.ts'
import { withPictures, withText } from './picture.ts'

const CHANNEL = 'marquee-outbox'
const SENDER = 'marquee-outbox-sender'
const TAB = 'marquee-outbox-tab-'

const tab = `${TAB}${newIdempotencyKey()}`
/** Browsers have no locks without HTTPS. Then tabs may send at the same time, and the server tells repeats by their keys. */
const locks = (navigator as { locks?: LockManager }).locks
// By this lock, others know that this tab lives.
void locks?.request(tab, async () => new Promise(() => {}))

async function livingTabs(): Promise<ReadonlySet<string>> {
  const held = (await locks?.query())?.held ?? []
  return new Set([tab, ...held.flatMap(({ name }) => name ?? [])])
}

let sending: Promise<void> | undefined
let isAskedAgain = false

/** One tab sends, and once at a time. What is asked for meanwhile is looked for afterwards. */
async function alone(work: () => Promise<void>): Promise<void> {
  isAskedAgain = sending !== undefined
  sending ??= (async () => {
    try {
      do {
        isAskedAgain = false
        if (locks === undefined) await work()
        else await locks.request(SENDER, work)
      } while (isAskedAgain as boolean)
    } finally {
      sending = undefined
    }
  })()
  await sending
}

let close: (() => void) | undefined

/** Opens the outbox of a user in this tab, and sends what waits in it, now and when the connection is back. */
export async function startOutbox(
  userId: string,
  publish: (shown: Shown) => void,
  settle: (action: Action, reply: unknown) => void,
): Promise<Outbox> {
  close?.()
  const items = await store.read(userId)
  const channel = new BroadcastChannel(`${CHANNEL} ${userId}`)
  const isSignedIn = () => {
    const current = session.current()
    return current.state === 'signed-in' && current.user.userId === userId
  }
  const show = (now: Items) => {
    if (isSignedIn()) publish(shownOf(now))
  }
  const accepts = (token?: string) => claimsOf(token)['sub'] === userId
  const outbox = createOutbox({
    userId,
    tab,
    store: withPictures(store),
    send: async (action: Action, how: Sending) => sendAction(await withText(action), { ...how, accepts }),
    knows: isKnown,
    canSend: () => connection.current() === 'online' && isSignedIn(),
    alone,
    livingTabs,
    announce: (change) => channel.postMessage(change),
    later: (ms, work) => setTimeout(work, ms),
    now: () => new Date().getTime(),
    newId: newIdempotencyKey,
    show,
    settle,
  })
  channel.addEventListener('message', ({ data }: MessageEvent<OutboxChange>) => void outbox.hear(data))
  const look = () => void outbox.send().catch(() => undefined)
  const stops = [connection.subscribe(look), session.subscribe(look)]
  close = () => {
    for (const stop of stops) stop()
    channel.close()
  }
  show(items)
  look()
  return outbox
}

import { LIVE_FOR_MEMBERS } from '@marquee/contract/facts'
import type { LiveEvent } from '@marquee/contract/live-events'
import type { EventStream } from '@marquee/platform/http/event-stream'

/** Events after which a listener may have gained or lost access. */
const ABOUT_ACCESS: ReadonlySet<LiveEvent['kind']> = new Set(['watchlist-changed', 'members-changed'])

type Access = { readonly isMember: boolean }

/**
 * Forwards events to one listener, in order, if they may read them. `look` reads the access again after an event that may
 * have changed it. The stream ends if that throws, if the listener is no longer a member, or with the watchlist. A former
 * member of a public watchlist connects again as a reader.
 */
export function forwardEvents(
  stream: Pick<EventStream, 'send' | 'end'>,
  access: Access,
  look: () => Promise<Access>,
): (event: LiveEvent) => void {
  let current = access

  async function forward(event: LiveEvent): Promise<void> {
    const wasMember = current.isMember
    if (ABOUT_ACCESS.has(event.kind)) current = await look()
    if (current.isMember || !LIVE_FOR_MEMBERS.has(event.kind)) stream.send(textOf(event))
    if (event.kind === 'watchlist-deleted' || (wasMember && !current.isMember)) stream.end()
  }

  return inOrder(stream, forward)
}

const texts = new WeakMap<LiveEvent, string>()

/** The text of an event, which all streams share. */
function textOf(event: LiveEvent): string {
  const text = texts.get(event) ?? JSON.stringify(event)
  texts.set(event, text)
  return text
}

/** What guests and big screens see changes with the feed and with draws, too. */
const OF_NIGHT: ReadonlySet<LiveEvent['kind']> = new Set([
  'nights-changed',
  'draws-changed',
  'card-revealed',
  'card-changed',
  'card-deleted',
])

/**
 * Forwards the changes of nights, without names, to one listener at a night, who learns that something changed, not what. The
 * stream ends once `look` throws.
 */
export function forwardNightEvents(
  stream: Pick<EventStream, 'send' | 'end'>,
  look: () => Promise<void>,
): (event: LiveEvent) => void {
  return inOrder(stream, async ({ kind, watchlistId, drawNumber, seeds }) => {
    if (kind === 'watchlist-deleted') stream.end()
    if (kind === 'nights-changed' || ABOUT_ACCESS.has(kind)) await look()
    if (OF_NIGHT.has(kind)) stream.send(JSON.stringify({ kind: 'nights-changed', watchlistId, drawNumber, seeds }))
  })
}

/** Calls `forward` for one event after the other. The stream ends if it throws. */
function inOrder(
  stream: Pick<EventStream, 'end'>,
  forward: (event: LiveEvent) => Promise<void>,
): (event: LiveEvent) => void {
  let sent: Promise<void> = Promise.resolve()
  return (event) => {
    sent = sent
      .then(async () => {
        await forward(event)
      })
      .catch(() => {
        stream.end()
      })
  }
}

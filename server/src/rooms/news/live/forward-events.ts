import { LIVE_FOR_MEMBERS } from '@marquee/contract/facts'
import type { LiveEvent } from '@marquee/contract/live-events'
import { type EventStream, type EventText, eventText } from '@marquee/platform/http/event-stream'

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

  function tell(event: LiveEvent, wasMember: boolean): void {
    if (current.isMember || !LIVE_FOR_MEMBERS.has(event.kind)) stream.send(textOf(event))
    if (event.kind === 'watchlist-deleted' || (wasMember && !current.isMember)) stream.end()
  }

  async function lookAndTell(event: LiveEvent): Promise<void> {
    const wasMember = current.isMember
    current = await look()
    tell(event, wasMember)
  }

  function forward(event: LiveEvent): Promise<void> | undefined {
    if (ABOUT_ACCESS.has(event.kind)) return lookAndTell(event)
    tell(event, current.isMember)
    return undefined
  }

  return inOrder(stream, forward)
}

/** The text of an event, which all streams share. */
const textOf = onceEach((event) => eventText(JSON.stringify(event)))
/** What listeners at a night get for it. */
const nightTextOf = onceEach(({ watchlistId, drawNumber, seeds }) =>
  eventText(JSON.stringify({ kind: 'nights-changed', watchlistId, drawNumber, seeds })),
)

function onceEach(make: (event: LiveEvent) => EventText): (event: LiveEvent) => EventText {
  const made = new WeakMap<LiveEvent, EventText>()
  return (event) => {
    const text = made.get(event) ?? make(event)
    made.set(event, text)
    return text
  }
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
  async function lookAndTell(event: LiveEvent): Promise<void> {
    await look()
    tell(event)
  }

  function tell(event: LiveEvent): void {
    if (OF_NIGHT.has(event.kind)) stream.send(nightTextOf(event))
  }

  // A promise for each event of each stream would cost too much.
  function forward(event: LiveEvent): Promise<void> | undefined {
    if (event.kind === 'watchlist-deleted') stream.end()
    if (event.kind === 'nights-changed' || ABOUT_ACCESS.has(event.kind)) return lookAndTell(event)
    tell(event)
    return undefined
  }

  return inOrder(stream, forward)
}

/**
 * Calls `forward` for one event after the other. The stream ends if it fails. An event that needs no look at the database
 * leaves nothing behind, because thousands of listeners may get it.
 */
function inOrder(
  stream: Pick<EventStream, 'end'>,
  forward: (event: LiveEvent) => Promise<void> | undefined,
): (event: LiveEvent) => void {
  let last: Promise<void> | undefined
  return (event) => {
    const sent = last ? last.then(async () => await forward(event)) : forward(event)
    if (!sent) return
    const settled = sent
      .catch(() => {
        stream.end()
      })
      .then(() => {
        if (last === settled) last = undefined
      })
    last = settled
  }
}

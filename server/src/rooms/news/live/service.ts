import { LiveEvent, type PublishedEvent } from '@marquee/contract/live-events'
import type { EventBus } from '@marquee/platform/events/bus'

/** Sends live events. Call `publish` after the commit; it never throws. */
export type Live = {
  publish: (event: PublishedEvent) => void
  /** Says that the notifications of a user changed. */
  notify: (userId: string) => void
  /** Listens to one watchlist until the returned function is called. `onGap`: events may have been missed. */
  listen: (watchlistId: string, listener: (event: LiveEvent) => void, onGap: () => void) => () => void
  /** Listens to changes of the notifications of a user, in the same way. */
  listenAs: (userId: string, listener: () => void, onGap: () => void) => () => void
}

export function createLive(bus: EventBus): Live {
  /** All listeners of a watchlist get the same text in one turn, so it is parsed once. */
  let last: { payload: string; event: LiveEvent | undefined } = { payload: '', event: undefined }
  const parse = (payload: string): LiveEvent | undefined => {
    // A process of another version may publish events that this one does not know.
    if (last.payload !== payload) last = { payload, event: LiveEvent.safeParse(JSON.parse(payload)).data }
    return last.event
  }

  return {
    publish: (event) => {
      bus.publish(channelOf(event.watchlistId), JSON.stringify(event))
    },
    notify: (userId) => {
      bus.publish(`user:${userId}`, '{}')
    },
    listenAs: (userId, listener, onGap) => bus.subscribe(`user:${userId}`, listener, onGap),
    listen: (watchlistId, listener, onGap) => {
      const hear = (payload: string): void => {
        const event = parse(payload)
        if (event) listener(event)
      }
      return bus.subscribe(channelOf(watchlistId), hear, onGap)
    },
  }
}

function channelOf(watchlistId: string): string {
  return `watchlist:${watchlistId}`
}

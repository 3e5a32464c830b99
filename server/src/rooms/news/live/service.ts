import { LiveEvent, type PublishedEvent } from '@marquee/contract/live-events'
import type { EventBus } from '@marquee/platform/events/bus'

import { type Listeners, listenersOf } from './listeners.ts'

/** Listens to a watchlist. */
export type WatchlistListener = {
  hear: (event: LiveEvent) => void
  /** Events may have been missed. */
  missed: () => void
}

/** Listens to changes of the notifications of a user. */
export type NoticeListener = {
  notice: () => void
  /** Events may have been missed. */
  missed: () => void
}

/** Sends live events. Call `publish` after the commit; it never throws. */
export type Live = {
  publish: (event: PublishedEvent) => void
  /** Says that the notifications of a user changed. */
  notify: (userId: string) => void
  /** Those who listen, by watchlist. */
  watchlists: Listeners<WatchlistListener>
  /** Those who listen, by user. */
  users: Listeners<NoticeListener>
  /** For at least this many milliseconds there was no event of a watchlist, and no notification of a user. */
  quietMs: (of: { watchlistId?: string | undefined; userId: string }) => number
}

export function createLive(bus: EventBus): Live {
  return {
    publish: (event) => {
      bus.publish(watchlistChannel(event.watchlistId), JSON.stringify(event))
    },
    notify: (userId) => {
      bus.publish(userChannel(userId), '{}')
    },
    watchlists: listenersOf((watchlistId, listeners) => {
      const hear = (payload: string): void => {
        // A process of another version may publish events that this one does not know.
        const event = LiveEvent.safeParse(JSON.parse(payload)).data
        if (event) for (const listener of listeners) listener.hear(event)
      }
      return bus.subscribe(watchlistChannel(watchlistId), hear, () => {
        for (const listener of listeners) listener.missed()
      })
    }),
    users: listenersOf((userId, listeners) => {
      const hear = (): void => {
        for (const listener of listeners) listener.notice()
      }
      return bus.subscribe(userChannel(userId), hear, () => {
        for (const listener of listeners) listener.missed()
      })
    }),
    quietMs: ({ watchlistId, userId }) =>
      Math.min(
        bus.quietMs(userChannel(userId)),
        watchlistId === undefined ? Infinity : bus.quietMs(watchlistChannel(watchlistId)),
      ),
  }
}

function watchlistChannel(watchlistId: string): string {
  return `watchlist:${watchlistId}`
}

function userChannel(userId: string): string {
  return `user:${userId}`
}

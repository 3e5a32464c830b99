import type { LiveEvent } from '@marquee/contract/live-events'
import { type EventBus, localEventBus } from '@marquee/platform/events/bus'

/** A bus that records the events of each watchlist. */
export function recordingBus(): EventBus & { kindsFor: (watchlistId: string) => LiveEvent['kind'][] } {
  const bus = localEventBus()
  const heard: LiveEvent[] = []
  return {
    ...bus,
    publish: (channel, payload) => {
      heard.push(JSON.parse(payload) as LiveEvent)
      bus.publish(channel, payload)
    },
    kindsFor: (watchlistId) => heard.filter((event) => event.watchlistId === watchlistId).map((event) => event.kind),
  }
}

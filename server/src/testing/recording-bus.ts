import type { LiveEvent } from '@marquee/contract/live-events'
import { type EventBus, localEventBus } from '@marquee/platform/events/bus'

/** A bus that records the events of each watchlist. */
export function recordingBus(): EventBus & {
  eventsFor: (watchlistId: string) => LiveEvent[]
  kindsFor: (watchlistId: string) => LiveEvent['kind'][]
} {
  const bus = localEventBus()
  const heard: LiveEvent[] = []
  const eventsFor = (watchlistId: string) => heard.filter((event) => event.watchlistId === watchlistId)
  return {
    ...bus,
    eventsFor,
    publish: (channel, payload) => {
      heard.push(JSON.parse(payload) as LiveEvent)
      bus.publish(channel, payload)
    },
    kindsFor: (watchlistId) => eventsFor(watchlistId).map((event) => event.kind),
  }
}

import type { LiveEvent } from '@marquee/contract/live-events'

/**
 * Applies events one after the other. An event that equals a waiting one is dropped, because reading for the first
 * covers both. `apply` handles its own failures.
 */
export function createEventQueue(apply: (event: LiveEvent) => Promise<void>): (event: LiveEvent) => void {
  const waiting: LiveEvent[] = []
  let isBusy = false

  async function work(): Promise<void> {
    isBusy = true
    for (let event = waiting.shift(); event !== undefined; event = waiting.shift()) {
      await apply(event)
    }
    isBusy = false
  }

  return (event) => {
    if (waiting.some(({ kind, cardId, by }) => kind === event.kind && cardId === event.cardId && by === event.by))
      return
    waiting.push(event)
    if (!isBusy) void work()
  }
}

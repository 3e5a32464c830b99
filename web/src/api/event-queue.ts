import type { LiveEvent } from '@marquee/contract/live-events'

/**
 * Takes events up one after the other, in the order in which they came. One that says again what already waits is left
 * out: whatever is fetched for the first will hold both. `apply` deals with its own failures.
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

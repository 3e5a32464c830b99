/** The works that wait for a turn of the event loop, in the order in which they asked. */
const waiting: (() => void)[] = []

/**
 * Waits for a turn of the event loop. Work that takes many turns calls it between slices of a few milliseconds, so that
 * requests are served in between. All such works of the process share its turns: each turn has one slice, however many
 * works there are.
 */
export async function nextTurn(): Promise<void> {
  await new Promise<void>((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(beginNext)
  })
}

function beginNext(): void {
  waiting[0]?.()
  waiting.shift()
  if (waiting.length > 0) setImmediate(beginNext)
}

import type { LiveEvent } from '@marquee/contract/live-events'
import type { EventStream } from '@marquee/platform/http/event-stream'

import { isAboutAccess, isTheLast, mayHear } from './audience.ts'

type Standing = { readonly isMember: boolean }

/**
 * Passes events on to one listener, in order, as far as they may hear of them. Where an event may have changed who has
 * access, `look` tells how the listener stands now; the stream ends if it throws, or if there is no watchlist any more.
 */
export function tell(
  stream: Pick<EventStream, 'send' | 'end'>,
  standing: Standing,
  look: () => Promise<Standing>,
): (event: LiveEvent) => void {
  let current = standing
  let told: Promise<void> = Promise.resolve()

  async function pass(event: LiveEvent): Promise<void> {
    if (isAboutAccess(event)) current = await look()
    if (mayHear(current, event)) stream.send(JSON.stringify(event))
    if (isTheLast(event)) stream.end()
  }

  return (event) => {
    told = told
      .then(async () => {
        await pass(event)
      })
      .catch(() => {
        stream.end()
      })
  }
}

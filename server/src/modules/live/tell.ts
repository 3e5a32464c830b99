import type { LiveEvent } from '@marquee/contract/live-events'
import type { EventStream } from '@marquee/platform/http/event-stream'

import { isAboutAccess, isTheLast, mayHear } from './audience.ts'

type Access = { readonly isMember: boolean }

/**
 * Passes events on to one listener, in order, as far as they may hear of them. Where an event may have changed who has
 * access, `look` reads it again. The stream ends if that throws, if the listener is no member any more, or with the
 * watchlist; a former member of a public watchlist connects again as a reader.
 */
export function tell(
  stream: Pick<EventStream, 'send' | 'end'>,
  access: Access,
  look: () => Promise<Access>,
): (event: LiveEvent) => void {
  let current = access
  let told: Promise<void> = Promise.resolve()

  async function pass(event: LiveEvent): Promise<void> {
    const wasMember = current.isMember
    if (isAboutAccess(event)) current = await look()
    if (mayHear(current, event)) stream.send(JSON.stringify(event))
    if (isTheLast(event) || (wasMember && !current.isMember)) stream.end()
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

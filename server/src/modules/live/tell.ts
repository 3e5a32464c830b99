import type { LiveEvent } from '@marquee/contract/live-events'
import type { EventStream } from '@marquee/platform/http/event-stream'

import { isAboutAccess, isTheLast, mayHear } from './audience.ts'

type Access = { readonly isMember: boolean }

/**
 * Forwards events to one listener, in order, if they may read them. `look` reads the access again after an event that may
 * have changed it. The stream ends if that throws, if the listener is no longer a member, or with the watchlist. A former
 * member of a public watchlist connects again as a reader.
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

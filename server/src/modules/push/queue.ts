import { type DueWork, handleDue, startDueWork } from '@marquee/platform/runtime/due-work'

import { claim, deliver, type DeliveryPorts } from './delivery.ts'
import { nextMessageAt } from './store.ts'

const PARALLEL = 8
const OUTAGE_MS = 30_000

/**
 * Sends messages about notifications to devices, at least once each: a process that dies after the push service has
 * accepted a message leaves it to be sent again, and the device then replaces what it shows. While a device cannot be
 * reached, only its oldest message is tried.
 */
export function startPushQueue(given: Omit<DeliveryPorts, 'pausedUntil'>): DueWork {
  const ports = { ...given, pausedUntil: new Map<string, number>() }
  return startDueWork({
    clock: ports.clock,
    work: async (stopping) => {
      await handleDue(
        { parallel: PARALLEL, stopping },
        async () => await claim(ports),
        async (claimed) => await deliver(ports, claimed, stopping),
      )
      return await nextMessageAt(ports.database.read)
    },
    onFailure: (error) => {
      ports.logger.error({ err: error }, 'the queue of push messages failed')
    },
    retryMs: OUTAGE_MS,
  })
}

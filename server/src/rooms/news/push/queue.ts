import { startDeliveries } from '@marquee/platform/queue/deliveries'
import type { Queue } from '@marquee/platform/queue/queue'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import { type DeliveryPorts, forget, keyOf, noteFailure, noteSuccess, send } from './delivery.ts'
import { deleteMessage, findSubscription, type MessageRow, type SubscriptionRow, WAITING_MESSAGES } from './store.ts'

const PARALLEL = 8
/** Messages wait for the end of quiet hours. */
const QUIET_HOURS_MS = DAY_MS

/**
 * Sends messages about notifications to devices, at least once each: a process that dies after the push service has
 * accepted a message leaves it to be sent again, and the device then replaces what it shows.
 */
export function startPushQueue(given: Omit<DeliveryPorts, 'pushServices'>): Queue {
  const ports: DeliveryPorts = { ...given, pushServices: new Map() }
  return startDeliveries<MessageRow, SubscriptionRow>(ports, {
    name: 'push messages',
    table: WAITING_MESSAGES,
    parallel: PARALLEL,
    longestWaitMs: QUIET_HOURS_MS,
    findTarget: async (db, message) => await findSubscription(db, keyOf(message)),
    send: async (message, device, stopping) => await send(ports, message, device, stopping),
    onDelivered: async (trx, message) => await noteSuccess(trx, ports, message),
    onDropped: deleteMessage,
    onFailed: async (trx, message, _device, failure) => await noteFailure(trx, ports, message, failure),
    onEnded: async (trx, _message, device) => await forget(trx, device),
  })
}

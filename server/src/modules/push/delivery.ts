import type { Language } from '@marquee/contract/languages'
import type { Notification } from '@marquee/contract/entities/notification'
import { guardedPost } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import type { Logger } from '@marquee/platform/runtime/logger'

import { findLanguage, type User } from '../profiles/service.ts'
import { type Push, requestOf } from './message.ts'
import { openTarget, type PushPorts, readKeyPair, sealTarget, signInOf, type Target } from './service.ts'
import {
  changeSubscription,
  claimMessage,
  deleteMessage,
  deleteOldMessages,
  deleteSubscriptions,
  findSubscription,
  type MessageRow,
  moveMessages,
  postponeMessage,
  type SubscriptionKey,
  type SubscriptionRow,
} from './store.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const TIMEOUT_MS = 5 * SECOND_MS
/** Longer than one attempt takes. After this time another process takes the message of a process that died. */
const CLAIM_MS = MINUTE_MS
/** The pauses after failures; the last one repeats. */
const RETRY_AFTER_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS]
/** A message is not sent after this time, and a push service keeps it for no longer. */
const MESSAGE_LASTS_MS = DAY_MS
/** The message says `tomorrow`, which ends at midnight for a night at eight. */
const TOMORROW_LASTS_MS = 4 * HOUR_MS
/** The pause of a push service that did not answer, so that it does not delay the devices at others. */
const HOST_PAUSE_MS = 30 * SECOND_MS
/** The subscription has ended. */
const ENDED: readonly (number | null)[] = [404, 410]
const TOO_MANY = 429

export type DeliveryPorts = Pick<
  PushPorts,
  'database' | 'clock' | 'random' | 'pushKeys' | 'pushFetch' | 'isSignedIn'
> & {
  readonly logger: Logger
  readonly userAgent: string
  /** Where the operators of push services reach the operator of this installation: `https:` or `mailto:`. */
  readonly pushSubject: string
  /** A notification that the user has not read, may still read, and wants on their devices from `dueAt` on. */
  readonly findToPush: (
    user: User,
    notificationId: string,
  ) => Promise<{ notification: Notification; dueAt: Date } | undefined>
  readonly pushText: (notification: Notification, language: Language | undefined) => Push['message']
  /** Until when nothing is sent to a push service, by host. */
  readonly pausedUntil: Map<string, number>
}

/** A message that no other process takes until a time. */
type Claimed = { readonly message: MessageRow; readonly device: SubscriptionRow; readonly until: number }

/** Claims the message that has been due longest. */
export async function claim({ database, clock }: DeliveryPorts): Promise<Claimed | undefined> {
  const now = clock.now().getTime()
  const until = now + CLAIM_MS
  return await database.transaction(async (trx) => {
    const message = await claimMessage(trx, { now, until })
    const device = message && (await findSubscription(trx, keyOf(message)))
    if (!device) return undefined
    if (device.failures > 0) await moveMessages(trx, keyOf(message), { until, to: until })
    return { message, device, until }
  })
}

/** Sends a claimed message and saves the outcome. */
export async function deliver(ports: DeliveryPorts, claimed: Claimed, stopping: AbortSignal): Promise<void> {
  const { clock, logger, pausedUntil } = ports
  const { message, device } = claimed
  const key = keyOf(message)
  const target = openTarget(ports, key, device.target)
  if (!target || !(await ports.isSignedIn(signInOf(device)))) return await forget(ports, device)
  const { host } = new URL(target.endpoint)
  const resumesAt = pausedUntil.get(host) ?? 0
  if (resumesAt > clock.now().getTime()) return await wait(ports, message, resumesAt)
  const { user_id: userId, username } = device
  const news = await ports.findToPush({ userId, username }, message.notification_id)
  if (news && news.dueAt > clock.now()) return await wait(ports, message, news.dueAt.getTime())
  const push = news && (await pushOf(ports, message, news.notification))
  if (!push) return await drop(ports, claimed)
  if (target.isOld) {
    await ports.database.transaction(async (trx) => {
      await changeSubscription(trx, key, { target: sealTarget(ports, key, target) })
    })
  }
  const status = await send(ports, push, target, stopping)
  if (status === null && stopping.aborted) return await wait(ports, message, clock.now().getTime())
  if (status === null) pauseHost(ports, host)
  if (status !== null && status >= 200 && status <= 299) return await noteSuccess(ports, claimed)
  if (ENDED.includes(status)) return await forget(ports, device)
  if (status === null || status === TOO_MANY || status >= 500) return await noteFailure(ports, claimed, status)
  logger.warn({ host, status, ...key }, 'a push service refused a message')
  await drop(ports, claimed)
}

/** Undefined if the message would be out of date. */
async function pushOf(
  { database, clock, pushText }: DeliveryPorts,
  message: MessageRow,
  notification: Notification,
): Promise<Push | undefined> {
  const { kind, startsAt } = notification
  const lastsMs = kind === 'night-tomorrow' ? TOMORROW_LASTS_MS : MESSAGE_LASTS_MS
  const endsAt = Math.min(message.created_at + lastsMs, startsAt === null ? Infinity : Date.parse(startsAt))
  const ttlSeconds = Math.floor((endsAt - clock.now().getTime()) / SECOND_MS)
  if (ttlSeconds <= 0) return undefined
  const language = await findLanguage(database.read, message.user_id)
  return { message: pushText(notification, language), ttlSeconds, isUrgent: kind === 'night-starting' }
}

/** The status of the answer; null if there is none. */
async function send(ports: DeliveryPorts, push: Push, target: Target, stopping: AbortSignal): Promise<number | null> {
  const { allowsHttp = false, ...fetchOptions } = ports.pushFetch ?? {}
  const keys = await readKeyPair(ports)
  const post = await requestOf(push, target, { keys, subject: ports.pushSubject })
  try {
    if (!allowsHttp && new URL(target.endpoint).protocol !== 'https:') throw new RefusedUrl('scheme', 'not https')
    return await guardedPost(target.endpoint, post, {
      timeoutMs: TIMEOUT_MS,
      signal: stopping,
      userAgent: ports.userAgent,
      ...fetchOptions,
    })
  } catch (error) {
    if (error instanceof RefusedUrl) return null
    throw error
  }
}

async function noteFailure(
  { database, clock, logger }: DeliveryPorts,
  { device, until }: Claimed,
  status: number | null,
): Promise<void> {
  const key = { userId: device.user_id, subscriptionId: device.id }
  const failures = device.failures + 1
  const retryAt = clock.now().getTime() + (RETRY_AFTER_MS[failures - 1] ?? HOUR_MS)
  logger.info({ status, failures, ...key }, 'a push message could not be sent')
  await database.transaction(async (trx) => {
    await changeSubscription(trx, key, { failures, retry_at: retryAt })
    await deleteOldMessages(trx, key, retryAt - MESSAGE_LASTS_MS)
    await moveMessages(trx, key, { until: Math.max(until, retryAt), to: retryAt })
  })
}

async function noteSuccess({ database, clock }: DeliveryPorts, { message, device, until }: Claimed): Promise<void> {
  const key = keyOf(message)
  const now = clock.now()
  await database.transaction(async (trx) => {
    await deleteMessage(trx, message)
    await changeSubscription(trx, key, { used_at: now.toISOString(), failures: 0, retry_at: 0 })
    if (device.failures > 0) await moveMessages(trx, key, { until, to: now.getTime() })
  })
}

async function drop({ database, clock }: DeliveryPorts, { message, device, until }: Claimed): Promise<void> {
  await database.transaction(async (trx) => {
    await deleteMessage(trx, message)
    if (device.failures > 0) await moveMessages(trx, keyOf(message), { until, to: clock.now().getTime() })
  })
}

async function forget({ database }: DeliveryPorts, { user_id: userId, id }: SubscriptionRow): Promise<void> {
  await database.transaction(async (trx) => await deleteSubscriptions(trx, userId, id))
}

async function wait({ database }: DeliveryPorts, message: MessageRow, dueAt: number): Promise<void> {
  await database.transaction(async (trx) => {
    await postponeMessage(trx, message, dueAt)
  })
}

function pauseHost({ clock, pausedUntil }: DeliveryPorts, host: string): void {
  const now = clock.now().getTime()
  for (const [other, until] of pausedUntil) if (until <= now) pausedUntil.delete(other)
  pausedUntil.set(host, now + HOST_PAUSE_MS)
}

function keyOf({ user_id: userId, subscription_id: subscriptionId }: MessageRow): SubscriptionKey {
  return { userId, subscriptionId }
}

import type { Language } from '@marquee/contract/languages'
import type { Notification } from '@marquee/contract/entities/notification'
import type { AnyDb } from '@marquee/platform/database/database'
import { guardedPost } from '@marquee/platform/network/guarded-fetch'
import { RefusedUrl } from '@marquee/platform/network/refused-url'
import { type Answer, type Failure, MESSAGE_LASTS_MS } from '@marquee/platform/queue/deliveries'
import type { QueuePorts } from '@marquee/platform/queue/queue'
import { HOUR_MS, SECOND_MS } from '@marquee/platform/runtime/durations'

import { findLanguage, type User } from '../../club/people/service.ts'
import { type Push, requestOf } from './message.ts'
import { openTarget, type PushPorts, readKeyPair, signInOf, type Target } from './service.ts'
import {
  changeSubscription,
  deleteMessage,
  deleteOldMessages,
  deleteSubscriptions,
  type MessageRow,
  type SubscriptionKey,
  type SubscriptionRow,
} from './store.ts'

const TIMEOUT_MS = 5 * SECOND_MS
/** The message says `tomorrow`, which ends at midnight for a night at eight. */
const TOMORROW_LASTS_MS = 4 * HOUR_MS
/** The pause of a push service that did not answer, so that it does not delay the devices at others. */
const HOST_PAUSE_MS = 30 * SECOND_MS
/** The subscription has ended. */
const ENDED: readonly (number | null)[] = [404, 410]
const TOO_MANY = 429
/** How many requests a push service may leave unanswered before others to it wait. */
const MAX_UNANSWERED = 8
const LOOK_AGAIN_MS = SECOND_MS

/** What a process knows of a push service. */
type PushService = { pausedUntil: number; unanswered: number }

export type DeliveryPorts = QueuePorts &
  Pick<PushPorts, 'random' | 'pushKeys' | 'pushFetch' | 'isSignedIn'> & {
    readonly userAgent: string
    /** Where the operators of push services reach the operator of this installation: `https:` or `mailto:`. */
    readonly pushSubject: string
    /** A notification that the user has not read, may still read, and wants on their devices from `dueAt` on. */
    readonly findToPush: (
      user: User,
      notificationId: string,
    ) => Promise<{ notification: Notification; dueAt: Date } | undefined>
    readonly pushText: (notification: Notification, language: Language | undefined) => Push['message']
    /** By host. */
    readonly pushServices: Map<string, PushService>
  }

/** Sends one message. */
export async function send(
  ports: DeliveryPorts,
  message: MessageRow,
  device: SubscriptionRow,
  stopping: AbortSignal,
): Promise<Answer> {
  const { clock, logger } = ports
  const key = keyOf(message)
  const target = openTarget({ keys: ports.pushKeys }, key, device.target)
  if (!target || !(await ports.isSignedIn(signInOf(device)))) return { what: 'ended', status: null }
  const { host } = new URL(target.endpoint)
  const resumesAt = whenToAsk(ports, host)
  if (resumesAt > clock.now().getTime()) return { what: 'postponed', until: resumesAt }
  const { user_id: userId, username } = device
  const news = await ports.findToPush({ userId, username }, message.notification_id)
  if (news && news.dueAt > clock.now()) return { what: 'postponed', until: news.dueAt.getTime() }
  const push = news && (await pushOf(ports, message, news.notification))
  if (!push) return { what: 'dropped' }
  const status = await post(ports, push, target, stopping)
  if (status !== null && status >= 200 && status <= 299) return { what: 'delivered', status }
  if (ENDED.includes(status)) return { what: 'ended', status }
  if (status === null || status === TOO_MANY || status >= 500) return { what: 'failed', status }
  logger.warn({ host, status, ...key }, 'a push service refused a message')
  return { what: 'dropped' }
}

/** When a push service may be asked: now, unless it did not answer lately or leaves many requests unanswered. */
function whenToAsk({ clock, pushServices }: DeliveryPorts, host: string): number {
  const now = clock.now().getTime()
  const { pausedUntil = 0, unanswered = 0 } = pushServices.get(host) ?? {}
  if (pausedUntil > now && pausedUntil <= now + HOST_PAUSE_MS) return pausedUntil
  return unanswered >= MAX_UNANSWERED ? now + LOOK_AGAIN_MS : now
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
async function post(ports: DeliveryPorts, push: Push, target: Target, stopping: AbortSignal): Promise<number | null> {
  const { allowsHttp = false, ...fetchOptions } = ports.pushFetch ?? {}
  const keys = await readKeyPair(ports)
  const request = await requestOf(push, target, { keys, subject: ports.pushSubject })
  const service = serviceAt(ports, new URL(target.endpoint).host)
  service.unanswered += 1
  try {
    if (!allowsHttp && new URL(target.endpoint).protocol !== 'https:') throw new RefusedUrl('scheme', 'not https')
    return await guardedPost(target.endpoint, request, {
      timeoutMs: TIMEOUT_MS,
      signal: stopping,
      userAgent: ports.userAgent,
      ...fetchOptions,
    })
  } catch (error) {
    if (!(error instanceof RefusedUrl)) throw error
    if (!stopping.aborted) service.pausedUntil = ports.clock.now().getTime() + HOST_PAUSE_MS
    return null
  } finally {
    service.unanswered -= 1
  }
}

/** Services that answer and have no request are forgotten. */
function serviceAt({ clock, pushServices }: DeliveryPorts, host: string): PushService {
  const now = clock.now().getTime()
  for (const [other, { pausedUntil, unanswered }] of pushServices) {
    if (pausedUntil <= now && unanswered === 0) pushServices.delete(other)
  }
  const service = pushServices.get(host) ?? { pausedUntil: 0, unanswered: 0 }
  pushServices.set(host, service)
  return service
}

export async function noteFailure(
  trx: AnyDb,
  { logger }: Pick<DeliveryPorts, 'logger'>,
  message: MessageRow,
  { status, failures, retryAt, endsBefore }: Failure,
): Promise<void> {
  const key = keyOf(message)
  logger.info({ status, failures, ...key }, 'a push message could not be sent')
  await changeSubscription(trx, key, { failures, retry_at: retryAt })
  await deleteOldMessages(trx, key, endsBefore)
}

export async function noteSuccess(trx: AnyDb, { clock }: DeliveryPorts, message: MessageRow): Promise<void> {
  await deleteMessage(trx, message)
  await changeSubscription(trx, keyOf(message), { used_at: clock.now().toISOString(), failures: 0, retry_at: 0 })
}

export async function forget(trx: AnyDb, { user_id: userId, id }: SubscriptionRow): Promise<void> {
  await deleteSubscriptions(trx, userId, id)
}

export function keyOf({ user_id: userId, subscription_id: subscriptionId }: MessageRow): SubscriptionKey {
  return { userId, subscriptionId }
}

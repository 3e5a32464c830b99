import { createECDH, ECDH, type KeyObject } from 'node:crypto'

import type { PushDevice, SavedPushDevice } from '@marquee/contract/entities/push'
import { Problem } from '@marquee/contract/problems'
import type { AnyDb, Database } from '@marquee/platform/database/database'
import { type GuardedFetchOptions, isAllowedUrl } from '@marquee/platform/network/guarded-fetch'
import type { Clock } from '@marquee/platform/runtime/clock'
import { openText, sealText } from '@marquee/platform/runtime/sealed-box'
import type { Random } from '@marquee/platform/runtime/random'
import type { SealedColumn } from '@marquee/platform/sealed/reseal'
import { openJson, sealedJson, sealJson } from '@marquee/platform/sealed/sealed-json'
import { hashOfSecret } from '@marquee/platform/runtime/secret-hash'

import { lockPerson, type User } from '../../club/people/service.ts'
import {
  deleteSubscriptions,
  dropOldSubscriptions,
  findKey,
  findSubscription,
  handOverMessages,
  listSubscriptions,
  saveKey,
  saveSubscription,
  type SubscriptionKey,
  type SubscriptionRow,
} from './store.ts'

const CURVE = 'prime256v1'
const KEY_CONTEXT = 'push key'
const RENEWAL_CONTEXT = 'push renewal'
/** The same for all reasons: different ones would map the network of this server. */
const UNUSABLE = 'This address cannot be used'

/** Where a browser receives messages, and the keys that encrypt them for it. */
export type Target = { readonly endpoint: string; readonly p256dh: string; readonly auth: string }

/** The key pair by which push services recognise this installation, as base64url: a point of P-256, and its scalar. */
export type KeyPair = { readonly publicKey: string; readonly privateKey: string }

/** Differences from the public internet, for tests. */
export type PushFetch = Partial<GuardedFetchOptions> & { readonly allowsHttp?: boolean }

export type PushPorts = {
  readonly database: Database<unknown>
  readonly clock: Clock
  readonly random: Random
  /** The current key first, then earlier ones. */
  readonly pushKeys: readonly KeyObject[]
  readonly pushFetch?: PushFetch
  /** The coarse name of the program that sent a request, from its header. */
  readonly deviceOf: (userAgent: string) => string
  /** Whether the user is still signed in on a device. */
  readonly isSignedIn: (device: { userId: string; username: string; sessionId: string | null }) => Promise<boolean>
}

/** The public key of this installation, which a browser needs to subscribe. Made at the first use. */
export async function getPushKey(ports: Pick<PushPorts, 'database' | 'random' | 'pushKeys'>): Promise<string> {
  return (await readKeyPair(ports)).publicKey
}

/** The devices of a user, newest first. Those on which the user has signed out are deleted. */
export async function listPushDevices(ports: PushPorts, { userId }: User): Promise<PushDevice[]> {
  const rows = await listSubscriptions(ports.database.read, userId)
  const devices: PushDevice[] = []
  for (const row of rows) {
    if (await ports.isSignedIn(signInOf(row))) devices.push(present(row))
    else await ports.database.transaction(async (trx) => await deleteSubscriptions(trx, userId, row.id))
  }
  return devices
}

/** The devices of a user, for the export of their data. */
export async function exportPushDevices(
  { database }: Pick<PushPorts, 'database'>,
  { userId }: Pick<User, 'userId'>,
): Promise<PushDevice[]> {
  return (await listSubscriptions(database.read, userId)).map(present)
}

/**
 * Adds a device, or saves it again. If the user has too many, the one that was used longest ago goes.
 * @throws {Problem} BAD_REQUEST for an address or keys that cannot be used.
 */
export async function savePushDevice(
  ports: PushPorts,
  user: User,
  target: Target,
  userAgent: string,
): Promise<SavedPushDevice> {
  const { database, clock } = ports
  await requireUsable(ports, target)
  const key = { userId: user.userId, subscriptionId: idOf(target) }
  const row: SubscriptionRow = {
    user_id: user.userId,
    id: key.subscriptionId,
    username: user.username,
    session_id: user.sessionId ?? null,
    device: ports.deviceOf(userAgent),
    target: sealTarget({ keys: ports.pushKeys, random: ports.random }, key, target),
    created_at: clock.now().toISOString(),
    used_at: null,
    failures: 0,
    retry_at: 0,
  }
  return await database.transaction(async (trx) => {
    await lockPerson(trx, user)
    await saveSubscription(trx, row)
    await dropOldSubscriptions(trx, user.userId)
    return presentSaved(ports, (await findSubscription(trx, key)) ?? row)
  })
}

/**
 * Replaces the subscription of a device by the one that its browser has now. What waits for the device is kept.
 * @throws {Problem} NOT_FOUND if the device was removed; BAD_REQUEST for an address or keys that cannot be used.
 */
export async function renewPushDevice(ports: PushPorts, renewal: string, target: Target): Promise<SavedPushDevice> {
  const { database } = ports
  const old = openJson(ports.pushKeys, RENEWAL_CONTEXT, renewal) as SubscriptionKey | undefined
  if (!old) throw new Problem('NOT_FOUND')
  const row = await findSubscription(database.read, old)
  if (!row || !(await ports.isSignedIn(signInOf(row)))) throw new Problem('NOT_FOUND')
  await requireUsable(ports, target)
  const next = { userId: old.userId, subscriptionId: idOf(target) }
  return await database.transaction(async (trx) => {
    const current = await findSubscription(trx, old)
    if (!current) throw new Problem('NOT_FOUND')
    const renewed = {
      ...current,
      id: next.subscriptionId,
      target: sealTarget({ keys: ports.pushKeys, random: ports.random }, next, target),
    }
    // The app may have saved the new subscription first. Then the same messages wait for it.
    const isKnown = (await findSubscription(trx, next)) !== undefined
    await saveSubscription(trx, { ...renewed, failures: 0, retry_at: 0 })
    if (!isKnown) await handOverMessages(trx, old, next.subscriptionId)
    if (next.subscriptionId !== old.subscriptionId) await deleteSubscriptions(trx, old.userId, old.subscriptionId)
    return presentSaved(ports, renewed)
  })
}

/** @throws {Problem} NOT_FOUND if the user has no such device. */
export async function removePushDevice({ database }: PushPorts, { userId }: User, deviceId: string): Promise<void> {
  const deleted = await database.transaction(async (trx) => await deleteSubscriptions(trx, userId, deviceId))
  if (deleted === 0) throw new Problem('NOT_FOUND')
}

/** Removes all devices of a user, in the transaction that deletes the account. */
export async function forgetPushDevices(trx: AnyDb, userId: string): Promise<void> {
  await deleteSubscriptions(trx, userId)
}

export { insertMessages as addPushMessages } from './store.ts'

/** The key pair of this installation. One that no known master key opens is replaced, since it opens no device either. */
export async function readKeyPair(ports: Pick<PushPorts, 'database' | 'random' | 'pushKeys'>): Promise<KeyPair> {
  const { database } = ports
  const row = await findKey(database.read)
  const opened = row && openText(ports.pushKeys, KEY_CONTEXT, row.private_key)
  if (!row || !opened) {
    await database.transaction(async (trx) => await saveKey(trx, newKey(ports), row))
    return await readKeyPair(ports)
  }
  return { publicKey: row.public_key, privateKey: opened.content.toString('base64url') }
}

/** Whether a known key opens the key pair; undefined if there is none yet. Changes nothing. */
export async function isKeyPairReadable(db: AnyDb, ports: Pick<PushPorts, 'pushKeys'>): Promise<boolean | undefined> {
  const row = await findKey(db)
  return row && openText(ports.pushKeys, KEY_CONTEXT, row.private_key) !== undefined
}

export function signInOf({ user_id: userId, username, session_id: sessionId }: SubscriptionRow) {
  return { userId, username, sessionId }
}

/** Where devices receive messages. */
export const {
  column: SEALED_DEVICES,
  seal: sealTarget,
  open: openTarget,
} = sealedJson<SubscriptionKey, Target>({
  table: 'push_subscription',
  column: 'target',
  key: { userId: 'user_id', subscriptionId: 'id' },
  context: 'push',
})
/** For a change of the master key. */
export const SEALED_KEY_PAIR: SealedColumn = {
  table: 'push_key',
  column: 'private_key',
  key: ['slot'],
  contextOf: () => KEY_CONTEXT,
}

function newKey({ random, pushKeys }: Pick<PushPorts, 'random' | 'pushKeys'>) {
  const pair = createECDH(CURVE)
  pair.generateKeys()
  // The scalar has leading zeros in 1 of 256 cases.
  const scalar = Buffer.concat([Buffer.alloc(32), pair.getPrivateKey()]).subarray(-32)
  return { public_key: pair.getPublicKey('base64url'), private_key: sealText(pushKeys, KEY_CONTEXT, scalar, random) }
}

/** @throws {Problem} BAD_REQUEST */
async function requireUsable({ pushFetch }: PushPorts, { endpoint, p256dh }: Target): Promise<void> {
  // A browser's public key is a point of the curve. With any other, no message could be encrypted.
  try {
    ECDH.convertKey(p256dh, CURVE, 'base64url', 'base64url', 'uncompressed')
  } catch {
    throw new Problem('BAD_REQUEST', 'p256dh: this is not a key of a browser')
  }
  const { allowsHttp = false, ...options } = pushFetch ?? {}
  const isUsable = (allowsHttp || URL.parse(endpoint)?.protocol === 'https:') && (await isAllowedUrl(endpoint, options))
  if (!isUsable) throw new Problem('BAD_REQUEST', UNUSABLE)
}

function idOf({ endpoint }: Target): string {
  return hashOfSecret(endpoint)
}

function presentSaved({ random, pushKeys }: PushPorts, row: SubscriptionRow): SavedPushDevice {
  const key: SubscriptionKey = { userId: row.user_id, subscriptionId: row.id }
  return { ...present(row), renewal: sealJson(pushKeys, RENEWAL_CONTEXT, key, random) }
}

function present({ id, device, created_at: createdAt, used_at: usedAt }: SubscriptionRow): PushDevice {
  return { id, device, createdAt, usedAt }
}

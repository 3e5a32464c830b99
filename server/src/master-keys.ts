import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { join } from 'node:path'

import { isEncrypted } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { type KeySet, readOrCreateKeys } from '@marquee/platform/runtime/key-file'
import { systemRandom } from '@marquee/platform/runtime/random'

import type { Settings } from './settings/settings.ts'

type KeySettings = Pick<
  Settings,
  'DATA_DIR' | 'MASTER_KEY' | 'MASTER_KEY_FILE' | 'MASTER_KEYS_PREVIOUS' | 'COGNITO_USER_POOL_ID'
>

/** The current master key, from the settings or from its file, which is created for a new database; and earlier keys. */
export async function readMasterKeys(settings: KeySettings, database: Database<unknown>): Promise<KeySet> {
  // With accounts in Amazon Cognito, encrypted rows are leftovers of a built-in pool.
  return await readKeys(
    settings,
    async () => settings.COGNITO_USER_POOL_ID !== undefined || !(await isEncrypted(database)),
  )
}

/** The same for a database that has encrypted values: no key is made. @throws {Refusal} if there is none */
export async function findMasterKeys(settings: KeySettings): Promise<KeySet> {
  return await readKeys(settings, async () => await Promise.resolve(false))
}

async function readKeys(settings: KeySettings, mayMake: () => Promise<boolean>): Promise<KeySet> {
  const before = settings.MASTER_KEYS_PREVIOUS ?? []
  if (settings.MASTER_KEY) return { current: settings.MASTER_KEY, previous: before }
  const path = settings.MASTER_KEY_FILE ?? defaultFile(settings.DATA_DIR)
  const { current, previous } = await readOrCreateKeys(path, { random: systemRandom, mayMake })
  return { current, previous: [...previous, ...before] }
}

/**
 * The key of the hashes that name images. It changes with the master key, which does no harm: existing images keep their
 * names, and an image that is uploaded again is stored twice.
 */
export function imageNameKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee image names', 32)))
}

/** The key that encrypts the addresses and secrets of webhooks. */
export function webhookKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee webhooks', 32)))
}

/** The key that encrypts the addresses and keys of media servers. */
export function mediaServerKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee media servers', 32)))
}

/** The key that encrypts the addresses of devices at push services, and the key pair of this installation. */
export function pushKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee push', 32)))
}

/** The key that encrypts the links that turn mails off. */
export function unsubscribeKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee unsubscribe', 32)))
}

/** The key of the tokens of join links. */
export function linkKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee join links', 32)))
}

/**
 * The key of the hashes of addresses, of devices and of mailboxes. They are compared within one movie night or one day, so a new
 * master key does no harm: the mails that invite a mailbox are counted again from none.
 */
export function addressKey(masterKey: Uint8Array): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee addresses', 32)))
}

/** The code of the first start, with which the first account is created. */
export function setupCode(masterKey: Uint8Array): string {
  return Buffer.from(hkdfSync('sha256', masterKey, Buffer.alloc(0), 'marquee setup', 16)).toString('base64url')
}

/** The file of the master key; undefined if the settings contain the key itself. */
export function masterKeyFile(
  settings: Pick<Settings, 'DATA_DIR' | 'MASTER_KEY' | 'MASTER_KEY_FILE'>,
): string | undefined {
  return settings.MASTER_KEY ? undefined : (settings.MASTER_KEY_FILE ?? defaultFile(settings.DATA_DIR))
}

function defaultFile(dataDir: string): string {
  return join(dataDir, 'keys', 'master.key')
}

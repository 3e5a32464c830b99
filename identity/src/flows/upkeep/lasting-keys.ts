import { createSecretKey, type KeyObject } from 'node:crypto'

import type { Database } from '@marquee/platform/database/database'

import type { Pool } from '../../base/ports.ts'
import { type KeyPurpose, LASTING, openFromRow, sealForRow } from '../../base/keys/keyring.ts'
import type { IdentityTables } from '../../base/tables.ts'
import { listSigningKeys } from '../../parts/tokens/signing-key-store.ts'
import { addLastingKey, listLastingKeys } from './key-store.ts'

/**
 * The keys behind codes, decoys, ids of the identity pool and rotated refresh tokens. They started as keys of the first
 * master key and are stored encrypted, so that a new master key changes no visible value.
 */
export async function openLastingKeys(
  ports: Pick<Pool, 'clock' | 'database' | 'id' | 'keyring' | 'random'>,
): Promise<Map<KeyPurpose, KeyObject>> {
  const { database, keyring, id } = ports
  const known = await listLastingKeys(database.read)
  const missing = LASTING.filter((purpose) => !known.some((row) => row.purpose === purpose))
  // An older installation keeps the keys of its current master key.
  const [inUse] = await listSigningKeys(database.read)
  const made = missing.map((purpose) => {
    const key = keyring.find(purpose, inUse?.key_id ?? keyring.currentId) ?? keyring.current(purpose)
    const { box, keyId } = sealForRow(ports, 'lasting-key', lastingKeyRow(id, purpose), key.export())
    return { purpose, box, key_id: keyId, created_at: ports.clock.now().toISOString() }
  })
  const rows = await database.transaction(async (trx) => {
    for (const key of made) await addLastingKey(trx, key)
    return await listLastingKeys(trx)
  })
  return new Map(
    rows.map((row) => {
      const column = { box: row.box, keyId: row.key_id }
      return [row.purpose, createSecretKey(openFromRow(keyring, 'lasting-key', lastingKeyRow(id, row.purpose), column))]
    }),
  )
}

/** The row name that the box of a lasting key is bound to. */
export function lastingKeyRow(poolId: string, purpose: KeyPurpose): string {
  return `${poolId}|${purpose}`
}

/** Whether a master key was used for this database, so that no new one may be made for it. */
export async function isEncrypted(database: Database<unknown>): Promise<boolean> {
  const { read } = database.withTables<IdentityTables>()
  return (await listLastingKeys(read)).length > 0 || (await listSigningKeys(read)).length > 0
}

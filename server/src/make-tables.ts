import { identityMigrations } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { migrate } from '@marquee/platform/database/migrate'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'

import { productMigrations } from './migrations/index.ts'

/** Brings every table of every part up to date. */
export async function makeTables(database: Database<unknown>): Promise<void> {
  await migrate(database, 'mail', mailMigrations)
  await migrate(database, 'idempotency', idempotencyMigrations)
  await migrate(database, 'identity', identityMigrations)
  await migrate(database, 'product', productMigrations)
}

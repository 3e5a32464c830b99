import { identityMigrations } from '@marquee/identity'
import type { Database } from '@marquee/platform/database/database'
import { migrateAll, type Migrations } from '@marquee/platform/database/migrate'
import { idempotencyMigrations } from '@marquee/platform/idempotency/migrations/index'
import { mailMigrations } from '@marquee/platform/mail/migrations/index'

import { productMigrations } from './migrations/index.ts'

/** The migrations of every part, in the order in which the parts are made. */
export const MIGRATIONS: Readonly<Record<string, Migrations>> = {
  mail: mailMigrations,
  idempotency: idempotencyMigrations,
  identity: identityMigrations,
  product: productMigrations,
}

/**
 * Brings every table of every part up to date; `beforeChange` runs before tables with something in them are changed.
 * @throws SchemaTooNew
 */
export async function makeTables(
  database: Database<unknown>,
  options: { beforeChange?: () => Promise<void> } = {},
): Promise<void> {
  await migrateAll(database, MIGRATIONS, options)
}

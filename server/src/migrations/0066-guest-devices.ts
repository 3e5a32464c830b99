import { keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * From which device and address a guest joined, as hashes; null for guests without a phone, screens and earlier passes.
 * `barred_at` is when a member removed the guest. `many_guests` lets more guests join from one address.
 */
export const guestDevices: Migration = {
  changes: ['night', 'night_pass'],
  up: async (db: AnyDb) => {
    for (const column of ['device_hash', 'address_hash', 'barred_at']) {
      await db.schema.alterTable('night_pass').addColumn(column, keyText(db)).execute()
    }
    await db.schema
      .alterTable('night')
      .addColumn('many_guests', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

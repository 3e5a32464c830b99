import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Web push. `push_key` has the key pair of this installation, one row. `push_subscription` has the devices of a user;
 * `target` is the encrypted address with the keys of the device. `push_message` has what waits to be sent to each.
 */
export const push: Migration = {
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema
      .createTable('push_key')
      .addColumn('slot', id, (column) => column.primaryKey())
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('private_key', 'text', (column) => column.notNull())
      .execute()

    await clustered(db, db.schema.createTable('push_subscription'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('session_id', id)
      .addColumn('device', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('used_at', id)
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('retry_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('push_subscription_pk', ['user_id', 'id'])
      .execute()

    await clustered(db, db.schema.createTable('push_message'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('subscription_id', id, (column) => column.notNull())
      .addColumn('notification_id', id, (column) => column.notNull())
      .addColumn('created_at', bigInteger(db), (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('push_message_pk', ['user_id', 'subscription_id', 'notification_id'])
      .addForeignKeyConstraint(
        'push_message_to',
        ['user_id', 'subscription_id'],
        'push_subscription',
        ['user_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('push_message_due').on('push_message').columns(['due_at', 'notification_id']).execute()
  },
}

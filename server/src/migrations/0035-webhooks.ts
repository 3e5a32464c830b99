import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Webhooks of watchlists, and the outbox and log of their messages. `target` is the encrypted address with the secret.
 * A message waits while `due_at` is set. A webhook that fails is tried again at `retry_at`.
 */
export const webhooks: Migration = {
  changes: ['watchlist'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await clustered(db, db.schema.createTable('webhook'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('kinds', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('failing_since', bigInteger(db))
      .addColumn('retry_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('webhook_pk', ['watchlist_id', 'id'])
      .addForeignKeyConstraint('webhook_of', ['watchlist_id'], 'watchlist', ['id'], (key) => key.onDelete('cascade'))
      .execute()

    await clustered(db, db.schema.createTable('webhook_delivery'))
      .addColumn('watchlist_id', id, (column) => column.notNull())
      .addColumn('webhook_id', id, (column) => column.notNull())
      .addColumn('id', id, (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('card_id', id)
      .addColumn('item_id', id)
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('created_at', id, (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('due_at', bigInteger(db))
      .addPrimaryKeyConstraint('webhook_delivery_pk', ['watchlist_id', 'webhook_id', 'id'])
      .addForeignKeyConstraint(
        'webhook_delivery_of',
        ['watchlist_id', 'webhook_id'],
        'webhook',
        ['watchlist_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('webhook_delivery_due').on('webhook_delivery').columns(['due_at', 'id']).execute()
  },
}

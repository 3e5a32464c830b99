import { sql } from 'kysely'

import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * Users of media servers whom members have linked, and what they have seen. `media_link.token` is the encrypted token of the
 * user. A row of `media_mark` has what the server knows of a film (`known`), and what is still to be sent (`wanted`), for
 * which it waits with `due_at`. `media_hook` is the address to which a server reports, with a hash of its secret.
 */
export const mediaLinks: Migration = {
  changes: ['card', 'card_viewings', 'media_server', 'member'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema.alterTable('card_viewings').addColumn('server_id', id).execute()

    await makeHooks(db)
    await makeLinks(db)
    await makeMarks(db)
  },
}

async function makeHooks(db: AnyDb): Promise<void> {
  const id = keyText(db)
  await clustered(db, db.schema.createTable('media_hook'))
    .addColumn('watchlist_id', id, (column) => column.notNull())
    .addColumn('server_id', id, (column) => column.notNull())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('made_at', id, (column) => column.notNull())
    .addColumn('last_at', id)
    .addColumn('taken', 'integer', (column) => column.notNull())
    .addColumn('unlinked', 'integer', (column) => column.notNull())
    .addColumn('unmatched', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('media_hook_pk', ['watchlist_id', 'server_id'])
    .addForeignKeyConstraint(
      'media_hook_of',
      ['watchlist_id', 'server_id'],
      'media_server',
      ['watchlist_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
}

async function makeLinks(db: AnyDb): Promise<void> {
  const id = keyText(db)
  await clustered(db, db.schema.createTable('media_link'))
    .addColumn('watchlist_id', id, (column) => column.notNull())
    .addColumn('server_id', id, (column) => column.notNull())
    .addColumn('user_id', id, (column) => column.notNull())
    .addColumn('username', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('remote_id', 'text', (column) => column.notNull())
    .addColumn('remote_name', 'text', (column) => column.notNull())
    .addColumn('device', 'text')
    .addColumn('token', 'text')
    .addColumn('is_sent', 'integer', (column) => column.notNull())
    .addColumn('linked_at', id, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('failing_since', bigInteger(db))
    .addColumn('retry_at', bigInteger(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('media_link_pk', ['watchlist_id', 'server_id', 'user_id'])
    .addForeignKeyConstraint(
      'media_link_of',
      ['watchlist_id', 'server_id'],
      'media_server',
      ['watchlist_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .addForeignKeyConstraint(
      'media_link_by',
      ['watchlist_id', 'user_id'],
      'member',
      ['watchlist_id', 'user_id'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
}

async function makeMarks(db: AnyDb): Promise<void> {
  const id = keyText(db)
  await clustered(db, db.schema.createTable('media_mark'))
    .addColumn('watchlist_id', id, (column) => column.notNull())
    .addColumn('server_id', id, (column) => column.notNull())
    .addColumn('user_id', id, (column) => column.notNull())
    .addColumn('card_id', id, (column) => column.notNull())
    .addColumn('known', 'integer')
    .addColumn('wanted', 'integer')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('played_at', bigInteger(db))
    .addColumn('due_at', bigInteger(db))
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('media_mark_pk', ['watchlist_id', 'server_id', 'user_id', 'card_id'])
    .addForeignKeyConstraint(
      'media_mark_by',
      ['watchlist_id', 'server_id', 'user_id'],
      'media_link',
      ['watchlist_id', 'server_id', 'user_id'],
      (key) => key.onDelete('cascade'),
    )
    .addForeignKeyConstraint('media_mark_of', ['watchlist_id', 'card_id'], 'card', ['watchlist_id', 'id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await sql`create index media_mark_due on media_mark (due_at, card_id) where due_at is not null`.execute(db)
  await sql`create index media_mark_card on media_mark (watchlist_id, card_id)`.execute(db)
}

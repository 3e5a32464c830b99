import { bigInteger, clustered, keyText } from '@marquee/platform/database/columns'
import type { AnyDb } from '@marquee/platform/database/database'
import type { Migration } from '@marquee/platform/database/migrate'

/**
 * `notification_mail` has the notifications that a user gets by mail, until they are mailed. `notification_mail_time` has
 * when the last mail of each kind was sent. A notification that the list does not show is only mailed or pushed.
 */
export const notificationMails: Migration = {
  changes: ['notification'],
  up: async (db: AnyDb) => {
    const id = keyText(db)
    await db.schema
      .alterTable('notification')
      .addColumn('is_listed', 'integer', (column) => column.notNull().defaultTo(1))
      .execute()

    await clustered(db, db.schema.createTable('notification_mail'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('notification_id', id, (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('due_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('notification_mail_pk', ['user_id', 'notification_id'])
      .addForeignKeyConstraint(
        'notification_mail_of',
        ['user_id', 'notification_id'],
        'notification',
        ['user_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    await db.schema.createIndex('notification_mail_due').on('notification_mail').column('due_at').execute()

    await clustered(db, db.schema.createTable('notification_mail_time'))
      .addColumn('user_id', id, (column) => column.notNull())
      .addColumn('topic', id, (column) => column.notNull())
      .addColumn('sent_at', bigInteger(db), (column) => column.notNull())
      .addPrimaryKeyConstraint('notification_mail_time_pk', ['user_id', 'topic'])
      .execute()
  },
}

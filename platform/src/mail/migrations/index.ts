import type { Migrations } from '../../database/migrate.ts'
import { bigInteger, keyText } from '../../database/columns.ts'

export const mailMigrations: Migrations = {
  '0001_outbox': {
    up: async (db) => {
      await db.schema
        .createTable('mail_outbox')
        .addColumn('id', keyText(db), (column) => column.primaryKey())
        .addColumn('recipient', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('text_body', 'text', (column) => column.notNull())
        .addColumn('html_body', 'text', (column) => column.notNull())
        .addColumn('created_at', keyText(db), (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
        .addColumn('due_at', bigInteger(db), (column) => column.notNull())
        .execute()
      await db.schema.createIndex('mail_outbox_due').on('mail_outbox').column('due_at').execute()
    },
  },
  // The process whose claim ends at `due_at`; null if no process is sending the mail.
  '0002_claims': {
    changes: ['mail_outbox'],
    up: async (db) => {
      await db.schema.alterTable('mail_outbox').addColumn('claimed_by', 'text').execute()
    },
    indexes: [{ name: 'mail_outbox_claimed', on: 'mail_outbox (due_at) where claimed_by is not null' }],
  },
  '0003_calendar': {
    changes: ['mail_outbox'],
    up: async (db) => {
      await db.schema.alterTable('mail_outbox').addColumn('calendar', 'text').execute()
    },
  },
  '0004_unsubscribe_url': {
    changes: ['mail_outbox'],
    up: async (db) => {
      await db.schema.alterTable('mail_outbox').addColumn('unsubscribe_url', 'text').execute()
    },
  },
  // Mails that go before all others, and what learns that a mail was refused: a `MailOrigin` as JSON.
  '0005_urgent': {
    changes: ['mail_outbox'],
    up: async (db) => {
      await db.schema
        .alterTable('mail_outbox')
        .addColumn('is_urgent', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
      await db.schema.alterTable('mail_outbox').addColumn('origin', 'text').execute()
    },
    indexes: [{ name: 'mail_outbox_urgent', on: 'mail_outbox (due_at) where is_urgent = 1' }],
  },
}

import type { Migration } from '@marquee/platform/database/migrate'

/** The rows of an import that are left to apply or to undo, so that a batch does not go through those before it. */
export const rowsLeftOfImports: Migration = {
  up: async () => undefined,
  indexes: [
    {
      name: 'import_row_waiting',
      on: 'import_row (user_id, import_id, place) where outcome is null and (is_chosen = 1 or is_seen = 1)',
    },
    { name: 'import_row_added', on: `import_row (user_id, import_id, place) where outcome = 'added'` },
  ],
}

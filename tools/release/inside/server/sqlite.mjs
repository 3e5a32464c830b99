import process from 'node:process'

/** SQLite of Node, which has a backup of databases from 22.16. For an older Node, a package with the same interface. */
const builtIn = /** @type {any} */ (process).getBuiltinModule?.('node:sqlite')

export const { DatabaseSync, backup } = builtIn?.backup === undefined ? await import('@photostructure/sqlite') : builtIn

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import pg from 'pg'

import { FILL_ON_POSTGRES } from '../../server/src/migrations/0033-card-words.ts'
import { COLUMNS, makeRows } from './rows.mjs'

const BATCH = 1 << 20

/** Fills the product's tables of a PostgreSQL database on this machine with COPY from files in `folder`. */
export async function fillPostgres(url, sizes, people, folder) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const files = await writeFiles(sizes, people, folder)
    await client.query('begin')
    // The generated rows are consistent, and checking their foreign keys would take most of the time.
    await client.query('set local session_replication_role = replica')
    for (const [table, path] of Object.entries(files)) {
      await client.query(`truncate ${table} cascade`)
      await client.query(`copy ${table} (${COLUMNS[table].join(', ')}) from '${path}'`)
    }
    // Without foreign keys there were no triggers either.
    await client.query(FILL_ON_POSTGRES)
    await client.query(`delete from card_words using card where card.watchlist_id = card_words.watchlist_id
      and card.id = card_words.card_id and card.status = 'SUGGESTED'`)
    await client.query('commit')
    await client.query('vacuum analyze')
    await Promise.all(Object.values(files).map((path) => rm(path)))
  } finally {
    await client.end()
  }
}

/** PostgreSQL's text format: columns separated by tabs, \N for null. No generated text needs an escape. */
async function writeFiles(sizes, people, folder) {
  const paths = Object.fromEntries(Object.keys(COLUMNS).map((table) => [table, join(folder, `${table}.copy`)]))
  const out = Object.fromEntries(
    Object.entries(paths).map(([table, path]) => [
      table,
      { stream: createWriteStream(path, { mode: 0o644 }), text: '' },
    ]),
  )
  makeRows(sizes, people, (table, row) => {
    const file = out[table]
    file.text += `${row.map((value) => value ?? String.raw`\N`).join('\t')}\n`
    if (file.text.length > BATCH) {
      file.stream.write(file.text)
      file.text = ''
    }
  })
  for (const { stream, text } of Object.values(out)) {
    stream.end(text)
    await once(stream, 'close')
  }
  return paths
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { expect, test } from 'vitest'

import { openSqlite } from '../../platform/src/database/sqlite.ts'
import { makeTables } from '../../server/src/migrations/make-tables.ts'
import { read } from './repository.ts'
import { type Source, sources, stringsOf } from './syntax.ts'

/** Tables with which the migrations keep track of themselves. */
const OF_MIGRATIONS = /migration/u

test('docs/scaling.md names the key that each table is distributed by', async () => {
  const tables = (await tablesWithKeys()).filter(({ name }) => !OF_MIGRATIONS.test(name))
  const page = read('docs/scaling.md')
  const [everywhere = ''] = /^\| copied everywhere .*$/mu.exec(page) ?? []
  const unnamed = tables.filter(({ name, key }) => {
    if (everywhere.includes(`\`${name}\``)) return false
    return !new RegExp(`\`${name}\`[^()|]*\\(\`${key}\`\\)`, 'u').test(page)
  })

  expect(tables.map(({ name }) => name)).toContain('card')
  expect(unnamed).toEqual([])
})

/** The noun whose stores read and write a table. */
const OWNERS: Readonly<Record<string, string>> = {
  watchlist: 'watchlists',
  member: 'watchlists',
  person_watchlist: 'watchlists',
  card: 'cards',
  status_change: 'cards',
  card_wants: 'cards',
  card_words: 'cards',
  availability: 'availability',
  service_list: 'availability',
  box_offer: 'availability',
  box_reading: 'availability',
  media_server: 'media-servers',
  media_list: 'media-servers',
  media_movie: 'media-servers',
  media_hook: 'media-links',
  media_link: 'media-links',
  media_mark: 'media-links',
  request_server: 'movie-requests',
  movie_request: 'movie-requests',
  draw_state: 'draws',
  draw: 'draws',
  draw_pick: 'draws',
  draw_seed: 'draws',
  draw_seed_hash: 'draws',
  draw_share: 'draws',
  draw_secret: 'draws',
  comment: 'comments',
  card_viewings: 'viewings',
  rated_mark: 'viewings',
  invitation: 'invitations',
  person_invitation: 'invitations',
  invitation_mail: 'invitations',
  join_link: 'join-links',
  join_token: 'join-links',
  join_policy: 'join-links',
  join_reservation: 'join-links',
  personal_token: 'personal-tokens',
  personal_token_key: 'personal-tokens',
  person: 'people',
  image_hold: 'images',
  poster_request: 'posters',
  movie_import: 'imports',
  import_row: 'imports',
  webhook: 'webhooks',
  webhook_delivery: 'webhooks',
  night: 'nights',
  night_answer: 'nights',
  night_feed: 'nights',
  night_presence: 'nights',
  night_film: 'nights',
  night_viewer: 'nights',
  night_mail: 'nights',
  night_reminder: 'nights',
  night_vote: 'nights',
  night_ballot: 'nights',
  night_absentee: 'nights',
  night_veto: 'nights',
  night_setting: 'nights',
  night_pass: 'nights',
  night_claim: 'nights',
  night_code: 'nights',
  activity: 'activities',
  notification: 'notifications',
  notification_settings: 'notifications',
  notification_mail: 'notifications',
  notification_mail_time: 'notifications',
  screen_pairing: 'nights',
  push_key: 'push',
  push_subscription: 'push',
  push_message: 'push',
}

/** Deletes a whole watchlist, in the order of its tables. */
const REMOVAL = 'server/src/rooms/club/watchlists/removal-store.ts'
/** The room and the noun of a store. The room `draws` is one noun. */
const STORE = /^server\/src\/rooms\/([\w-]+)(?:\/([\w-]+)(?:\/[\w-]+)?)?\/(?:[\w-]+-)?store\.ts$/u

/** Background work that goes through the rows of other nouns: unused images, and posters that wait for a copy. */
const EXCEPTIONS = [
  'availability: card',
  'availability: watchlist',
  'images: card',
  'images: person',
  'images: watchlist',
  'posters: card',
]

/** The tables that a store names: to the query builder, in SQL, or in a list of tables that it goes through. */
function tablesIn(source: Source): string[] {
  const { literals, templates } = stringsOf(source)
  const named = literals.map((text) => text.replace(/ as \w+$/u, ''))
  const inSql = [...literals, ...templates.flat()].flatMap((text) =>
    [...text.matchAll(/\b(?:from|join|into|update)\s+(\w+)/gu)].map(([, name]) => name ?? ''),
  )
  return [...named, ...inSql].filter((name) => OWNERS[name] !== undefined)
}

test('a store of the server uses only the tables of its noun, except for background work', () => {
  const foreign = sources().flatMap((source) => {
    const [, room, noun = room] = STORE.exec(source.path) ?? []
    if (noun === undefined || source.path === REMOVAL) return []
    return tablesIn(source).flatMap((table) => (OWNERS[table] === noun ? [] : [`${noun}: ${table}`]))
  })

  expect([...new Set(foreign)].toSorted()).toEqual(EXCEPTIONS)
})

/** Each table of a new database with the first column of its primary key. */
async function tablesWithKeys(): Promise<{ name: string; key: string }[]> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-tables-'))
  const path = join(folder, 'marquee.db')
  const database = openSqlite(path)
  try {
    await makeTables(database)
    const reader = new DatabaseSync(path)
    const rows = reader
      .prepare(
        `select t.name as name, c.name as key from sqlite_master t join pragma_table_info(t.name) c
         where t.type = 'table' and c.pk = 1`,
      )
      .all()
    reader.close()
    return rows.map(({ name, key }) => ({ name: String(name), key: String(key) }))
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
}

import { expect, test } from 'vitest'

import { read, repositoryFiles } from './repository.ts'

const TABLE = /createTable\('(\w+)'\)([\s\S]*?)\.execute\(\)/gu

test('docs/scaling.md names the key that each table is distributed by', () => {
  const tables = repositoryFiles()
    .filter((path) => /\/migrations\/[\w-]+\.ts$/u.test(path))
    .flatMap((path) => [...read(path).matchAll(TABLE)])
    .map(([, name = '', columns = '']) => ({
      name,
      key:
        /addPrimaryKeyConstraint\('\w+', \['(\w+)'/u.exec(columns)?.[1] ??
        /addColumn\('(\w+)'[^\n]*primaryKey/u.exec(columns)?.[1],
    }))
  const page = read('docs/scaling.md')
  const [everywhere = ''] = /^\| copied everywhere .*$/mu.exec(page) ?? []
  const unnamed = tables.filter(({ name, key = '' }) => {
    if (everywhere.includes(`\`${name}\``)) return false
    return !new RegExp(`\`${name}\`[^()|]*\\(\`${key}\`\\)`, 'u').test(page)
  })

  expect(tables.length).toBeGreaterThan(0)
  expect(unnamed).toEqual([])
})

/** The noun whose stores read and write a table. */
const OWNERS: Readonly<Record<string, string>> = {
  watchlist: 'watchlists',
  member: 'watchlists',
  person_watchlist: 'watchlists',
  card: 'cards',
  status_change: 'cards',
  comment: 'comments',
  invitation: 'invitations',
  person_invitation: 'invitations',
  invitation_mail: 'invitations',
  person: 'profiles',
  image_hold: 'images',
  poster_request: 'posters',
}

/** Background work that goes through the rows of other nouns: unused images, and posters that wait for a copy. */
const EXCEPTIONS = ['images: card', 'images: person', 'images: watchlist', 'posters: card']

test('a noun of the server reads and writes its own tables only', () => {
  const foreign = repositoryFiles().flatMap((path) => {
    const [, noun] = /^server\/src\/modules\/([^/]+)\/(?:[\w-]+-)?store\.ts$/u.exec(path) ?? []
    if (noun === undefined) return []
    const named = read(path).matchAll(/(?:selectFrom|insertInto|updateTable|deleteFrom|Join)\('(\w+)'/gu)
    return [...named].flatMap(([, table = '']) => (OWNERS[table] === noun ? [] : [`${noun}: ${table}`]))
  })

  expect([...new Set(foreign)].toSorted()).toEqual(EXCEPTIONS)
})

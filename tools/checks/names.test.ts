import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { read, repositoryFiles, root } from './repository.ts'
import { type Source, sources, visit } from './syntax.ts'

const BANNED = new Set(['utils', 'helpers', 'common', 'misc', 'lib', 'shared', 'core', 'manager'])
/** One of the five text areas of the product is called "common". */
const TEXT_AREAS = 'web/src/i18n/locales/'
const SQL_CALLS = new Set(['selectFrom', 'insertInto', 'updateTable', 'deleteFrom'])

test('no file or folder is called utils, helpers, common or the like', () => {
  const vague = repositoryFiles()
    .filter((path) => !path.startsWith(TEXT_AREAS))
    .filter((path) => path.split('/').some((part) => BANNED.has(part.replace(/\..*$/u, ''))))

  expect(vague).toEqual([])
})

test('no file or export has a vague word such as keeping, news, tell or told in its name', () => {
  const files = repositoryFiles().filter((path) => /(?:^|[/-])(?:keeping|news|tell|told)\.tsx?$/u.test(path))
  const exported = sources().flatMap(({ path }) =>
    [
      ...read(path).matchAll(/^export (?:async )?(?:class|const|function|type) (\w*(?:Told|News)\w*|tell[A-Z]\w*)/gmu),
    ].map(([, name]) => `${path}: ${name}`),
  )

  expect([...files, ...exported]).toEqual([])
})

test('every noun of the server has a service, the one file other nouns may import', () => {
  // A noun may have folders of its own.
  const folders = new Set(
    repositoryFiles().flatMap((path) => /^server\/src\/rooms\/[\w-]+(?:\/[\w-]+)?(?=\/)/u.exec(path)?.[0] ?? []),
  )
  const without = [...folders].filter((folder) => !existsSync(join(root, folder, 'service.ts')))

  expect(folders.size).toBeGreaterThan(20)
  expect(without).toEqual([])
})

test('SQL is only in stores, migrations and the database plumbing', () => {
  const withSql = sources().filter(hasSql)
  const misplaced = withSql
    .map(({ path }) => path)
    .filter((path) => /^(?:server|identity)\/src\/.*\.ts$/u.test(path) && !path.endsWith('.test.ts'))
    .filter(
      (path) => !/(?:^|[/-])store\.ts$/u.test(path) && !path.includes('/migrations/') && !path.includes('/testing/'),
    )

  expect(withSql.map(({ path }) => path)).toContain('server/src/rooms/movies/cards/card/store.ts')
  expect(misplaced).toEqual([])
})

function hasSql(source: Source): boolean {
  let found = false
  visit(source, {
    CallExpression({ callee }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (SQL_CALLS.has(callee.property.name)) found = true
    },
    TaggedTemplateExpression({ tag }) {
      if (tag.type === 'Identifier' && tag.name === 'sql') found = true
    },
  })
  return found
}

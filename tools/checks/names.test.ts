import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { read, repositoryFiles, root } from './repository.ts'

const BANNED = new Set(['utils', 'helpers', 'common', 'misc', 'lib', 'shared', 'core', 'manager'])
/** The spec names one of its five text areas "common". */
const TEXT_AREAS = 'web/src/i18n/locales/'

test('no file or folder is an attic', () => {
  const attics = repositoryFiles()
    .filter((path) => !path.startsWith(TEXT_AREAS))
    .filter((path) => path.split('/').some((part) => BANNED.has(part.replace(/\..*$/u, ''))))

  expect(attics).toEqual([])
})

test('a test title is a sentence about behaviour', () => {
  const empty = repositoryFiles()
    .filter((path) => /\.(?:test\.tsx?|e2e\.ts)$/u.test(path))
    .filter((path) => /\btest\(\s*['"`](?:should|works)\b/u.test(read(path)))

  expect(empty).toEqual([])
})

test('every noun of the server has a service, the one file other nouns may import', () => {
  const modules = join(root, 'server/src/modules')
  const without = readdirSync(modules).filter((noun) => !readdirSync(join(modules, noun)).includes('service.ts'))

  expect(without).toEqual([])
})

test('SQL stands only in stores, migrations and the database plumbing', () => {
  const misplaced = repositoryFiles()
    .filter((path) => /^(?:server|identity)\/src\/.*\.ts$/u.test(path) && !path.endsWith('.test.ts'))
    .filter(
      (path) => !/(?:^|[/-])store\.ts$/u.test(path) && !path.includes('/migrations/') && !path.includes('/testing/'),
    )
    .filter((path) => /\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/u.test(read(path)))

  expect(misplaced).toEqual([])
})

test('every store of the server is tested on both databases', () => {
  const untested = repositoryFiles()
    .filter((path) => /^server\/src\/modules\/[^/]+\/store\.ts$/u.test(path))
    .filter((path) => {
      const folder = path.slice(0, path.lastIndexOf('/') + 1)
      const tests = repositoryFiles().filter((file) => file.startsWith(folder) && file.endsWith('.test.ts'))
      return !tests.some((file) => /eachDatabase|eachApp/u.test(read(file)))
    })

  expect(untested).toEqual([])
})

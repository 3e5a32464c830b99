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

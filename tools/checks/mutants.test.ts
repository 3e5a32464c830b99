import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { GROUPS } from '../mutants/groups.ts'
import { root } from './repository.ts'

const MUTANTS = Object.values(GROUPS).flatMap(({ mutants }) => mutants)

test.each(MUTANTS)('the text that “$name” replaces occurs once, and its tests exist', ({ file, before, tests }) => {
  expect(readFileSync(join(root, file), 'utf8').split(before)).toHaveLength(2)
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test('each bug has a unique name', () => {
  const names = MUTANTS.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { MUTANTS } from '../mutants/mutants.ts'
import { root } from './repository.ts'

test.each(MUTANTS)('the text that “$name” replaces occurs once, and its tests exist', ({ file, before, tests }) => {
  expect(readFileSync(join(root, file), 'utf8').split(before)).toHaveLength(2)
  expect(tests.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

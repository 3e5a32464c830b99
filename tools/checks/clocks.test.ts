import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { read, repositoryFiles, root } from './repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'marquee-lint-'))
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Who may not make which call, by a file of theirs. */
const REFUSED = [
  ['a unit test', 'server/src/a.test.ts', 'performance.now'],
  ['a test of the web app', 'web/src/a.test.tsx', 'performance.now'],
  ['a journey', 'e2e/journeys/a.e2e.ts', 'performance.now'],
  ['the product', 'server/src/a.ts', 'Date.now'],
  ['a room', 'server/src/rooms/club/a.ts', 'Date.now'],
  ['the user pool', 'identity/src/a.ts', 'Date.now'],
  ['another file of the product', 'server/src/b.ts', 'Math.random'],
] as const

/** What the lint of this repository says about these files. */
function complaints(): string {
  for (const [, path, call] of REFUSED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `export const value = ${call}()\n`)
  }
  // The rules name folders beside the configuration.
  copyFileSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const program = join(root, 'node_modules/.bin/oxlint')
  return spawnSync(program, ['--format', 'unix'], { cwd: folder, encoding: 'utf8' }).stdout
}

let found: string
beforeAll(() => {
  found = complaints()
})

test.each(REFUSED)('lint forbids %s to use the clock or random numbers: %s cannot call %s', (_who, path, call) => {
  expect(found.split('\n').find((line) => line.includes(`${path}:`))).toContain(`'${call}' is restricted`)
})

const TEST = /\.(?:test|e2e)\.tsx?$/u
const MEASURES = /\b(?:Date\.now\(\)|new Date\(\)\.getTime\(\)) - [a-z]\w*\b(?! \*)/u

test('no test measures how long something takes', () => {
  const measuring = repositoryFiles().filter((path) => TEST.test(path) && MEASURES.test(read(path)))

  expect(measuring).toEqual([])
})

test('no failed test is run again', () => {
  const repeating = repositoryFiles().filter(
    (path) =>
      /\.(?:test|e2e)\.tsx?$|(?:vitest|playwright)\.config\.ts$/u.test(path) &&
      /\bretr(?:y|ies): ?[1-9]\d?\b/u.test(read(path)),
  )

  expect(repeating).toEqual([])
})

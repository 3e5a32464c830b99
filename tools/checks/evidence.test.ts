import { expect, test } from 'vitest'

import { pageOf, problems } from '../evidence/page.ts'
import type { Answer, Standard } from '../evidence/standard.ts'
import { tagsIn } from '../evidence/tags.ts'
import { evidenceProblems } from '../run/evidence.ts'

const TESTED: Answer = { met: 'tested' }
const FILE = 'server/src/doors.test.ts'

function doors(...answers: Answer[]): Standard {
  const requirements = answers.map((answer, index) => ({
    id: `1.${index + 1}`,
    level: 1 as const,
    says: 'a door',
    answer,
  }))
  return { id: 'doors', title: 'Doors', intro: 'Of [doors](pages/doors.md).', groups: [{ title: 'One', requirements }] }
}

test('the pages of evidence are current, and each claim has the tests that it names', () => {
  expect(evidenceProblems()).toEqual([])
})

test('a removed test removes the claim: the page no longer names it, and "tested" without a test is a problem', () => {
  const before = tagsIn(FILE, "// Evidence: doors-1.1\ntest('a door closes', () => {})\ntest('a bell rings', () => {})")
  const after = tagsIn(FILE, "test('a bell rings', () => {})")

  expect(problems([doors(TESTED)], before)).toEqual([])
  expect(pageOf('pages/x/doors.md', doors(TESTED), before)).toContain(
    '| 1.1 | 1 | a door | met | [a door closes](../../server/src/doors.test.ts) |',
  )
  expect(problems([doors(TESTED)], after)).toEqual(['doors-1.1 is called tested, but no test has its tag'])
  expect(pageOf('pages/x/doors.md', doors(TESTED), after)).not.toContain('a door closes')
})

test('a removed test whose comment stays is a problem too, and does not lend the tag to the code that follows', () => {
  const left = tagsIn(FILE, "// Evidence: doors-1.1\n\nfunction open() {}\n\ntest('a bell rings', () => {})")

  expect(problems([doors(TESTED)], left)).toEqual([
    'doors-1.1 is called tested, but no test has its tag',
    'server/src/doors.test.ts: no test that runs follows the tag doors-1.1',
  ])
})

test.each([
  ['a test', "test('a', () => {})", ['a']],
  ['a test after another comment', "// Slow.\n/* Very. */\ntest('a', () => {})", ['a']],
  ['a test with computed parts', 'test(`a ${b} c`, () => {})', ['a … c']],
  ['a table of tests', "test.each([1])('a %s is $b', () => {})", ['a … is …']],
  ['a group', "describe('g', () => { test('a', () => {}); test('b', () => {}) })\ntest('c', () => {})", ['a', 'b']],
  ['a journey in a group', "test.describe('g', () => { test.use({}); test('a', () => test.step('s', f)) })", ['a']],
  ['a computed title', 'test.describe("g", () => { test(title, () => {}) })', ['g']],
  ['a test that is skipped', "test.skip('a', () => {})", []],
  ['a group that is skipped', "describe.skip('g', () => { test('a', () => {}) })", []],
  ['a group with a skipped test', "describe('g', () => { it.todo('a', f); it('b', f) })", ['b']],
  ['no test', 'open()', []],
])('a tag counts for %s', (_what, code, titles) => {
  const tests = titles.map((title) => ({ title, path: FILE }))

  expect(tagsIn(FILE, `// Evidence: doors-1.1, doors-1.2\n${code}`)).toEqual([
    { tag: 'doors-1.1', path: FILE, tests },
    { tag: 'doors-1.2', path: FILE, tests },
  ])
})

test('a tag of an unknown requirement is a problem', () => {
  expect(problems([doors()], tagsIn(FILE, "// Evidence: doors-9\ntest('a', () => {})"))).toEqual([
    'server/src/doors.test.ts: no standard has doors-9',
  ])
})

test('a claim without a test needs a file that shows it, and a test contradicts "not met"', () => {
  const standard = doors({ met: 'by-design', reason: 'they are wood' }, { met: 'no', missing: 'locks' })
  const tags = tagsIn(FILE, "// Evidence: doors-1.2\ntest('a door locks', () => {})")

  expect(problems([standard], tags)).toEqual([
    'the reason of doors-1.1 links to nothing',
    'doors-1.2 has a test, but is no',
  ])
})

test('a page begins with its counts, and names at most three tests of a requirement', () => {
  const standard = doors(
    { met: 'tested', note: 'all' },
    { met: 'by-design', reason: 'as in [wood](pages/wood.md)' },
    { met: 'partly', missing: 'locks' },
    { met: 'no', missing: 'bells' },
    { met: 'not-applicable', reason: 'no cats' },
  )
  const tests = ['a', 'b|c', 'd', 'e', 'f'].map((title) => `// Evidence: doors-1.1\ntest('${title}', () => {})`)
  const text = pageOf('pages/doors.md', standard, tagsIn(FILE, tests.join('\n')))

  expect(text).toContain(
    '# Doors\n\nOf [doors](doors.md).\n\n| met, shown by tests | met by design | partly met | not met |',
  )
  expect(text).toContain('\n| 1 | 1 | 1 | 1 | 1 | 5 |\n')
  const link = (title: string): string => `[${title}](../server/src/doors.test.ts)`
  expect(text.split('\n').slice(-6)).toEqual([
    `| 1.1 | 1 | a door | met: all | ${link('a')}<br>${link('b\\|c')}<br>${link('d')}<br>and 2 more |`,
    '| 1.2 | 1 | a door | by design: as in [wood](wood.md) |  |',
    '| 1.3 | 1 | a door | **partly met**: locks |  |',
    '| 1.4 | 1 | a door | **not met**: bells |  |',
    '| 1.5 | 1 | a door | does not apply: no cats |  |',
    '',
  ])
})

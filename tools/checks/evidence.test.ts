import { expect, test } from 'vitest'

import { currentText, type Page, problems } from '../evidence/page.ts'
import { tagsIn } from '../evidence/tags.ts'
import { evidenceProblems } from '../run/evidence.ts'

const FILE = 'server/src/doors.test.ts'
const COLUMNS = '| no. | level | asks for | answer | tests |'
const LINE = '| --- | --- | --- | --- | --- |'
const COUNTS = `| met, shown by tests | met by design | partly met | not met | does not apply | all |
| --- | --- | --- | --- | --- | --- |`

/** A page with a row for each answer. */
function doors(...answers: string[]): Page {
  return pageOf(answers.map((answer, index) => `| 1.${index + 1} | 1 | a door | ${answer} |  |`))
}

function pageOf(rows: string[], levels: Page['levels'] = { 1: rows.length }): Page {
  const text = ['# Doors', `${COUNTS}\n| 0 | 0 | 0 | 0 | 0 | 0 |`, '## One', [COLUMNS, LINE, ...rows].join('\n')]
  return { path: 'pages/x/doors.md', id: 'doors', levels, text: `${text.join('\n\n')}\n` }
}

test('the evidence pages are current, and each claim has the tests that it names', () => {
  expect(evidenceProblems()).toEqual([])
})

test('removing a test removes it from the page, and "met" without a test is a problem', () => {
  const before = tagsIn(FILE, "// Evidence: doors-1.1\ntest('a door closes', () => {})\ntest('a bell rings', () => {})")
  const after = tagsIn(FILE, "test('a bell rings', () => {})")
  const page = doors('met')
  const text = currentText(page, before)

  expect(problems([page], before)).toEqual([])
  expect(text).toContain('| 1.1 | 1 | a door | met | [a door closes](../../server/src/doors.test.ts) |')
  expect(problems([page], after)).toEqual(['doors-1.1 is called met, but no test has its tag'])
  expect(currentText({ ...page, text }, after)).not.toContain('a door closes')
})

test('a tag whose test was removed is a problem, and does not count for the code that follows', () => {
  const left = tagsIn(FILE, "// Evidence: doors-1.1\n\nfunction open() {}\n\ntest('a bell rings', () => {})")

  expect(problems([doors('met')], left)).toEqual([
    'doors-1.1 is called met, but no test has its tag',
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
  ['other code', 'open()', []],
])('a tag above %s names the right tests', (_what, code, titles) => {
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
  const page = doors('by design: they are wood', '**not met**: locks')
  const tags = tagsIn(FILE, "// Evidence: doors-1.2\ntest('a door locks', () => {})")

  expect(problems([page], tags)).toEqual([
    'the reason of doors-1.1 links to nothing',
    'doors-1.2 has a test, but its answer is: **not met**',
  ])
})

test.each(['**partly met**', '**not met**', 'does not apply', 'by design'])(
  'the answer "%s" needs a reason',
  (answer) => {
    expect(problems([doors(answer)], [])).toEqual(['the answer to doors-1.1 gives no reason'])
  },
)

test.each(['', 'tested', 'Met', 'met:', 'partly met: locks', 'metal'])('"%s" is not an answer', (answer) => {
  expect(problems([doors(answer)], [])).toEqual([
    'the answer to doors-1.1 begins with none of: met, by design, **partly met**, **not met**, does not apply',
  ])
})

test('a row that is missing, duplicated, incomplete or of the wrong level is a problem', () => {
  const row = '| 1.1 | 1 | a door | does not apply: no cats |  |'

  expect(problems([pageOf([row], { 1: 2, 2: 1 })], [])).toEqual([
    'pages/x/doors.md: 1 rows of level 1, not 2',
    'pages/x/doors.md: 0 rows of level 2, not 1',
  ])
  expect(problems([pageOf([row, row])], [])).toEqual(['doors-1.1 has two rows'])
  expect(problems([pageOf([row.replace('| 1 |', '| 3 |')], {})], [])).toEqual([
    'pages/x/doors.md: 1 rows of level 3, not 0',
  ])
  expect(problems([pageOf([row.replace('a door', ''), row.replace('1.1', '')])], [])).toEqual([
    'the row of doors-1.1 lacks its number or what it asks for',
    'the row of doors- lacks its number or what it asks for',
  ])
  expect(problems([pageOf([row.replace('cats', 'cats | dogs')])], [])).toEqual([
    String.raw`the row of doors-1.1 has 6 cells: a bar in a text is written \|`,
  ])
  expect(problems([pageOf([row.replace('cats', String.raw`cats \| dogs`)])], [])).toEqual([])
})

test('a table with other columns is a problem, and so is a page without counts', () => {
  const page = doors('does not apply: no cats')

  expect(problems([{ ...page, text: page.text.replace('asks for', 'says') }], [])).toEqual([
    'pages/x/doors.md: 0 rows of level 1, not 1',
  ])
  expect(problems([{ ...page, text: page.text.replace('met by design', 'designed') }], [])).toEqual([
    'pages/x/doors.md has no table of counts',
  ])
})

test('saving counts the answers, names at most three tests of a requirement, and keeps the rest', () => {
  const page = doors(
    'met: all',
    'by design: as in [wood](../wood.md): oak',
    '**partly met**: locks',
    '**not met**: bells',
    'does not apply: no cats',
  )
  const tests = ['a', 'b|c', 'd', 'e', 'f'].map((title) => `// Evidence: doors-1.1\ntest('${title}', () => {})`)
  const tags = tagsIn(FILE, tests.join('\n'))
  const link = (title: string): string => `[${title}](../../server/src/doors.test.ts)`
  const named = `${link('a')}<br>${link(String.raw`b\|c`)}<br>${link('d')}<br>and 2 more`
  const expected = page.text
    .replace('| 0 | 0 | 0 | 0 | 0 | 0 |', '| 1 | 1 | 1 | 1 | 1 | 5 |')
    .replace('| met: all |  |', `| met: all | ${named} |`)

  expect(currentText(page, tags)).toBe(expected)
  expect(currentText({ ...page, text: expected }, tags)).toBe(expected)
})

test('saving adds a missing cell for the tests, trims wide cells, and keeps every word of an invalid row', () => {
  const page = pageOf([
    '| 1.1 | 1 | a door | not yet |',
    '|  1.2  | 1 | a  bell|  ?  | gone |',
    '1.3 | a cat',
    '| a | b | c | d | e | f |',
  ])

  expect(currentText(page, []).trimEnd().split('\n').slice(-4)).toEqual([
    '| 1.1 | 1 | a door | not yet |  |',
    '| 1.2 | 1 | a  bell | ? |  |',
    '| 1.3 | a cat |',
    '| a | b | c | d | e | f |',
  ])
})

import { posix } from 'node:path'

import type { ShownBy, Tagged } from './tags.ts'

/** How Marquee answers each requirement of a standard. Written by hand, except for the counts and the tests. */
export type Page = {
  path: string
  /** How tags begin: `asvs` for `// Evidence: asvs-6.2.1`. */
  id: string
  /** How many requirements each level has, so that no row gets lost. */
  levels: Record<string, number>
  text: string
}

type Row = { tag: string; cells: number; level: string; says: string; answer: string; reason: string }

const COLUMNS = ['no.', 'level', 'asks for', 'answer', 'tests']

/** How an answer begins, and what it is called above its count. */
const ANSWERS = {
  met: 'met, shown by tests',
  'by design': 'met by design',
  '**partly met**': 'partly met',
  '**not met**': 'not met',
  'does not apply': 'does not apply',
}
const COUNTED = [...Object.values(ANSWERS), 'all']

/** So many tests are named for a requirement; more would hide the others. */
const NAMED = 3

/** The text of a page, with its present counts and tests. */
export function currentText(page: Page, tags: readonly Tagged[]): string {
  const tests = testsByTag(tags)
  const withTests = (cells: string[]): string[] => {
    // Too few or too many cells are a problem: the row stays as it is.
    if (cells.length < COLUMNS.length - 1 || cells.length > COLUMNS.length) return cells
    return [...cells.slice(0, COLUMNS.length - 1), named(page.path, tests.get(`${page.id}-${cells[0]}`) ?? [])]
  }
  const blocks = blocksOf(page).map((block) => {
    const rows = rowsBelow(block, COLUMNS)
    if (rows !== undefined) return table(COLUMNS, rows.map(withTests))
    return rowsBelow(block, COUNTED) === undefined ? block : table(COUNTED, [counts(page)])
  })
  return `${blocks.join('\n\n')}\n`
}

/** What keeps the pages from being true: claims without a test, tags that belong to no claim, and lost rows. */
export function problems(pages: readonly Page[], tags: readonly Tagged[]): string[] {
  const tests = testsByTag(tags)
  const rows = pages.flatMap(rowsOf)
  const known = rows.map(({ tag }) => tag)
  const twice = known.filter((tag, index) => known.indexOf(tag) < index).map((tag) => `${tag} has two rows`)
  const claims = rows.flatMap((row) => problemsOf(row, tests.get(row.tag)?.length ?? 0))
  const stray = tags.flatMap(({ tag, path, tests: { length } }) => {
    if (!known.includes(tag)) return [`${path}: no standard has ${tag}`]
    return length === 0 ? [`${path}: no test that runs follows the tag ${tag}`] : []
  })
  return [...pages.flatMap(lostParts), ...twice, ...claims, ...stray]
}

function problemsOf({ tag, cells, says, answer, reason }: Row, tests: number): string[] {
  if (cells > COLUMNS.length) return [String.raw`the row of ${tag} has ${cells} cells: a bar in a text is written \|`]
  if (!Object.hasOwn(ANSWERS, answer))
    return [`the answer to ${tag} begins with none of: ${Object.keys(ANSWERS).join(', ')}`]
  if (says === '' || tag.endsWith('-')) return [`the row of ${tag} lacks its number or what it asks for`]
  if (answer === 'met') return tests === 0 ? [`${tag} is called met, but no test has its tag`] : []
  if (reason === '') return [`the answer to ${tag} gives no reason`]
  if (answer !== '**partly met**' && tests > 0) return [`${tag} has a test, but its answer is: ${answer}`]
  if (answer === 'by design' && !/\]\([^)]+\)/u.test(reason)) return [`the reason of ${tag} links to nothing`]
  return []
}

function lostParts(page: Page): string[] {
  const { path, levels } = page
  const rows = rowsOf(page)
  const wrong = [...new Set([...Object.keys(levels), ...rows.map(({ level }) => level)])].flatMap((level) => {
    const { length } = rows.filter((row) => row.level === level)
    const asked = levels[level] ?? 0
    return length === asked ? [] : [`${path}: ${length} rows of level ${level}, not ${asked}`]
  })
  const isCounted = blocksOf(page).some((block) => rowsBelow(block, COUNTED) !== undefined)
  return isCounted ? wrong : [...wrong, `${path} has no table of counts`]
}

function rowsOf(page: Page): Row[] {
  const rows = blocksOf(page).flatMap((block) => rowsBelow(block, COLUMNS) ?? [])
  return rows.map((cells) => {
    const [id = '', level = '', says = '', text = ''] = cells
    const [answer = '', ...reason] = text.split(': ')
    return { tag: `${page.id}-${id}`, cells: cells.length, level, says, answer, reason: reason.join(': ') }
  })
}

function blocksOf({ text }: Page): string[] {
  return text.trim().split(/\n\s*\n/u)
}

/** The rows of a table that has these columns. */
function rowsBelow(block: string, columns: readonly string[]): string[][] | undefined {
  const [head = [], line = [], ...rows] = block.split('\n').map(cellsOf)
  const isTable = head.join('|') === columns.join('|') && line.every((cell) => /^:?-+:?$/u.test(cell))
  return isTable ? rows : undefined
}

function cellsOf(line: string): string[] {
  const inside = line.trim().replaceAll(/^\||(?<!\\)\|$/gu, '')
  return inside.split(/(?<!\\)\|/u).map((cell) => cell.trim())
}

function counts(page: Page): string[] {
  const answers = rowsOf(page).map(({ answer }) => answer)
  const numbers = Object.keys(ANSWERS).map((name) => answers.filter((answer) => answer === name).length)
  return [...numbers, answers.length].map(String)
}

function testsByTag(tags: readonly Tagged[]): Map<string, ShownBy[]> {
  const tests = new Map<string, ShownBy[]>()
  for (const { tag, tests: more } of tags) tests.set(tag, [...(tests.get(tag) ?? []), ...more])
  return tests
}

/** Links to the first tests, from the page to their files. */
function named(page: string, tests: readonly ShownBy[]): string {
  const links = tests
    .slice(0, NAMED)
    .map(({ title, path }) => `[${plain(title)}](${posix.relative(posix.dirname(page), path)})`)
  const more = tests.length - links.length
  return [...links, ...(more > 0 ? [`and ${more} more`] : [])].join('<br>')
}

/** A title without meaning to Markdown. */
function plain(title: string): string {
  return title.replaceAll(/[[\]*_`\\|<>]/gu, (sign) => `\\${sign}`)
}

function table(head: readonly string[], rows: readonly string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

import { posix } from 'node:path'

import { type Answer, type Requirement, type Standard, tagOf } from './standard.ts'
import type { ShownBy, Tagged } from './tags.ts'

/** So many tests are named for a requirement; more would hide the others. */
const NAMED = 3

const COUNTED: Record<Answer['met'], string> = {
  tested: 'met, shown by tests',
  'by-design': 'met by design',
  partly: 'partly met',
  no: 'not met',
  'not-applicable': 'does not apply',
}

/** The page of a standard, in Markdown. */
export function pageOf(path: string, standard: Standard, tags: readonly Tagged[]): string {
  const tests = testsByTag(tags)
  const row = (requirement: Requirement): string => {
    const shown = tests.get(tagOf(standard, requirement)) ?? []
    const { id, level, says, answer } = requirement
    return tableRow([id, String(level), says, answerText(answer), named(path, shown)])
  }
  const groups = standard.groups.map(({ title, requirements }) =>
    [`## ${title}`, '', ...table(['no.', 'level', 'asks for', 'answer', 'tests'], requirements.map(row))].join('\n'),
  )
  const head = `# ${standard.title}\n\n${standard.intro.trim()}\n\n${counts(standard)}\n\n${HOW}`
  return fromPage(path, `${head}\n\n${groups.join('\n\n')}\n`)
}

const HOW = `This page is generated: the answers are in [tools/evidence/standards](tools/evidence/standards), and each test named here has
the number in a comment before it. \`npm run evidence -- --save\` writes the page. Without its last test, a requirement cannot stay "met".`

/** What keeps the pages from being true: claims without a test, and tags that belong to no claim. */
export function problems(standards: readonly Standard[], tags: readonly Tagged[]): string[] {
  const tests = testsByTag(tags)
  const requirements = new Map(
    standards.flatMap((standard) =>
      standard.groups.flatMap((group) => group.requirements.map((each) => [tagOf(standard, each), each.answer])),
    ),
  )
  const claims = [...requirements].flatMap(([tag, answer]) => problemOf(tag, answer, tests.get(tag)?.length ?? 0))
  const stray = tags.flatMap(({ tag, path, tests: { length } }) => {
    if (!requirements.has(tag)) return [`${path}: no standard has ${tag}`]
    return length === 0 ? [`${path}: no test that runs follows the tag ${tag}`] : []
  })
  return [...claims, ...stray]
}

function problemOf(tag: string, answer: Answer, tests: number): string[] {
  if (answer.met === 'tested' && tests === 0) return [`${tag} is called tested, but no test has its tag`]
  if (answer.met !== 'tested' && answer.met !== 'partly' && tests > 0)
    return [`${tag} has a test, but is ${answer.met}`]
  if (answer.met === 'by-design' && !/\]\([^)]+\)/u.test(answer.reason))
    return [`the reason of ${tag} links to nothing`]
  return []
}

function testsByTag(tags: readonly Tagged[]): Map<string, ShownBy[]> {
  const tests = new Map<string, ShownBy[]>()
  for (const { tag, tests: more } of tags) tests.set(tag, [...(tests.get(tag) ?? []), ...more])
  return tests
}

function counts({ groups }: Standard): string {
  const answers = groups.flatMap(({ requirements }) => requirements.map(({ answer }) => answer.met))
  const names = Object.keys(COUNTED) as Answer['met'][]
  const numbers = names.map((name) => String(answers.filter((met) => met === name).length))
  return table([...names.map((name) => COUNTED[name]), 'all'], [tableRow([...numbers, String(answers.length)])]).join(
    '\n',
  )
}

function answerText(answer: Answer): string {
  if (answer.met === 'tested') return answer.note === undefined ? 'met' : `met: ${answer.note}`
  if (answer.met === 'by-design') return `by design: ${answer.reason}`
  if (answer.met === 'not-applicable') return `does not apply: ${answer.reason}`
  return `**${COUNTED[answer.met]}**: ${answer.missing}`
}

function named(page: string, tests: readonly ShownBy[]): string {
  const links = tests.slice(0, NAMED).map(({ title, path }) => `[${plain(title)}](${path})`)
  const more = tests.length - links.length
  return [...links, ...(more > 0 ? [`and ${more} more`] : [])].join('<br>')
}

/** A title without meaning to Markdown. */
function plain(title: string): string {
  return title.replaceAll(/[[\]*_`\\|<>]/gu, (sign) => `\\${sign}`)
}

function table(head: readonly string[], rows: readonly string[]): string[] {
  return [tableRow(head), tableRow(head.map(() => '---')), ...rows]
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Links are written from the root of the repository, and lead from the page to the same file. */
function fromPage(page: string, text: string): string {
  return text.replaceAll(/\]\((?!https?:|#)([^)\s]+)\)/gu, (_link, target: string) => {
    return `](${posix.relative(posix.dirname(page), target)})`
  })
}

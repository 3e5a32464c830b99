import { type Comment, type Expression, parseSync, Visitor } from 'oxc-parser'

import { read, repositoryFiles } from '../checks/repository.ts'

/** A tag, and the tests that follow it. */
export type Tagged = { tag: string; path: string; tests: readonly ShownBy[] }
export type ShownBy = { title: string; path: string }

/** All tags of the repository. */
export function tagsOfRepository(): Tagged[] {
  return repositoryFiles()
    .filter((path) => /\.(?:test|e2e)\.tsx?$/u.test(path))
    .flatMap((path) => tagsIn(path, read(path)))
}

/** The tags of a test file: comments such as `// Evidence: wcag-1.4.3, asvs-6.2.1` directly before a test or a group. */
export function tagsIn(path: string, text: string): Tagged[] {
  if (!text.includes('// Evidence: ')) return []
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const calls: Call[] = []
  new Visitor({
    CallExpression({ callee, arguments: [title, body], start, end }) {
      const names = namesOf(callee)
      const isTest = ['test', 'it', 'describe'].includes(names[0] ?? '') && !names.some((name) => OTHER.has(name))
      if (!isTest || title === undefined || body === undefined) return
      const isGroup = names.includes('describe')
      calls.push({ start, end, title: titleOf(title), isGroup, runs: !names.some((name) => OFF.has(name)) })
    },
  }).visit(program)
  return comments.flatMap((comment) => {
    const [, tags] = (comment.type === 'Line' && /^ Evidence: (.+)$/u.exec(comment.value)) || []
    if (tags === undefined) return []
    const tests = testsAfter(comment, calls, text).map((title) => ({ title, path }))
    return tags.split(',').map((tag) => ({ tag: tag.trim(), path, tests }))
  })
}

type Call = { start: number; end: number; title: string | undefined; isGroup: boolean; runs: boolean }

/** Calls of `test` that declare no test. */
const OTHER = new Set(['step', 'use', 'extend'])
/** A test that does not run shows nothing. */
const OFF = new Set(['skip', 'todo', 'fixme', 'fails'])

/** The titles of the tests that a comment is directly before. */
function testsAfter(comment: Comment, calls: readonly Call[], text: string): string[] {
  const next = calls.filter(({ start }) => start >= comment.end).toSorted((a, b) => a.start - b.start)[0]
  if (next === undefined || !isBlank(text.slice(comment.end, next.start))) return []
  const groups = calls.filter(({ isGroup }) => isGroup)
  const around = (call: Call): Call[] => groups.filter((group) => group.start <= call.start && group.end >= call.end)
  return calls
    .filter((call) => !call.isGroup && call.start >= next.start && call.end <= next.end)
    .filter((call) => [call, ...around(call)].every(({ runs }) => runs))
    .map((call) => call.title ?? around(call).at(-1)?.title ?? '…')
}

function isBlank(text: string): boolean {
  return text.replaceAll(/\/\/.*$|\/\*[\s\S]*?\*\//gmu, '').trim() === ''
}

/** `['test', 'skip']` for `test.skip(…)`, and `['test', 'each']` for `test.each(…)(…)`. */
function namesOf(callee: Expression): string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type === 'CallExpression') return namesOf(callee.callee)
  if (callee.type !== 'MemberExpression') return []
  return [...namesOf(callee.object), ...(callee.property.type === 'Identifier' ? [callee.property.name] : [])]
}

/** A title with an ellipsis for each computed part; undefined if all of it is computed. */
function titleOf(title: { type: string; value?: unknown; quasis?: { value: { cooked: string | null } }[] }) {
  const text = title.type === 'TemplateLiteral' ? title.quasis?.map(({ value }) => value.cooked).join('…') : title.value
  return typeof text === 'string' ? text.replaceAll(/%[sdifjo]|\$[a-z][\w.]*/gu, '…') : undefined
}

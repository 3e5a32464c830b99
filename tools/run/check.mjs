import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

import { root } from './dependencies.mjs'
import { quietStep, step } from './process.mjs'

/** What is known of types from the last check. */
const types = join(root, '.cache', 'types')
/**
 * What runs on Node is one program (tsconfig.node.json): by themselves, its folders read and check each other again. The
 * contract stays alone, because it must not know the types of Node.
 */
const PROJECTS = { contract: 'contract', node: 'tsconfig.node.json', web: 'web', e2e: 'e2e' }

/** `npm run check`: what a contributor runs before each commit. `npm test` runs the rest. */
export async function run() {
  const passed = (await staticChecks(CHECKS)) && (await unitTests(testsOfChanges()))
  return passed ? 0 : 1
}

const LINT = ['Lint', 'oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']]
const CHECKS = ['Checks of the repository', 'vitest', ['run', '--project', 'checks']]

/** The linter takes as long as all other checks, so it runs beside them. */
export async function staticChecks(...more) {
  mkdirSync(types, { recursive: true })
  const others = [
    ['Format', 'oxfmt', ['--check']],
    ...Object.entries(PROJECTS).map(typesOf),
    ['Unused code and packages', 'knip', []],
  ]
  const passed = await Promise.all([inTurn([LINT]), inTurn([...others, ...more])])
  return passed.every(Boolean)
}

/** Runs steps up to the first failure. */
async function inTurn(steps) {
  for (const [title, program, args] of steps) if (!(await quietStep(title, program, args))) return false
  return true
}

/** One checker, because the linter runs beside it, and several check again what they share. */
function typesOf([name, project]) {
  const known = join(types, `${name}.json`)
  return [`Types of ${name}`, 'tsc', ['-p', project, '--checkers', '1', '--incremental', '--tsBuildInfoFile', known]]
}

async function unitTests(files) {
  if (files.length === 0) return true
  return await step('Unit tests of what changed since main', 'vitest', ['run', ...files])
}

/**
 * Changed tests, and tests that import a changed file of their folder. All tests that a change can reach, as Vitest finds
 * them, are nearly the whole suite, because most tests of the server run the whole app.
 */
function testsOfChanges() {
  const tests = changedFiles().flatMap((file) => {
    if (isTest(file)) return [file]
    const folder = dirname(file)
    return readdirSync(join(root, folder))
      .filter(
        (name) => isTest(name) && readFileSync(join(root, folder, name), 'utf8').includes(`'./${basename(file)}'`),
      )
      .map((name) => `${folder}/${name}`)
  })
  return [...new Set(tests)]
}

function changedFiles() {
  const changed = git('diff', '--name-only', '--diff-filter=d', base())
  const added = git('ls-files', '--others', '--exclude-standard')
  return `${changed}\n${added}`
    .split('\n')
    .filter((file) => /^(?:contract|platform|identity|server|web)\/.*\.tsx?$/u.test(file))
}

function isTest(file) {
  return /\.test\.tsx?$/u.test(file)
}

/** The commit where this branch left main; without main, the last commit. */
function base() {
  return git('merge-base', 'HEAD', 'origin/main') || git('merge-base', 'HEAD', 'main') || 'HEAD'
}

/** What git prints; nothing if it fails. */
function git(...args) {
  return spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim()
}

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './dependencies.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureServerBuild, ensureWebBuild } from './builds.mjs'
import { staticChecks } from './check.mjs'
import { filesInMemory } from './memory-files.mjs'
import { quietStep, step } from './process.mjs'
import { onlyOnSqlite } from './statements.ts'

/** All journeys against the scaled set-up (e2e/playwright.config.ts). */
const SCALED = { MARQUEE_ARRANGEMENT: 'scaled' }
/** What is shown once is also tried on the other database, with several processes and in all languages (decision 95). */
const ALL = { MARQUEE_VARIATIONS: 'all' }
/** Projects of e2e/playwright.config.ts. */
const WAITING = 'waiting'
const OTHERS = ['scaled', 'own-worker', 'embedded']
/** The server as `npm start` runs it, and the commands of operators as it runs them. */
const BUILT = { MARQUEE_PROGRAM: 'server/dist/main.js', MARQUEE_COMMAND: 'server/dist/marquee.js' }
const reports = join(root, '.cache', 'reports')
const statements = join(reports, 'statements')

/**
 * `npm test`: all checks and tests, cheapest first, up to the first failure. With `--all`, also their variations. With
 * `--scaled`, only the journeys, against two processes on PostgreSQL, Redis and S3.
 */
export async function run(args) {
  const [option, ...others] = args
  if (others.length > 0 || ![undefined, '--all', '--scaled'].includes(option)) {
    console.error('Usage: npm test [-- --all | --scaled]')
    return 2
  }
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(statements, { recursive: true })
  const temporary = filesInMemory()
  const passed =
    option === '--scaled'
      ? (await ensureWebBuild()) && (await journeys(await ensureBrowser(), { ...SCALED, ...temporary }))
      : await everything({ ...BUILT, ...temporary, ...(option === '--all' && ALL) })
  const { ok, failed } = count()
  console.log(`\n${ok} passed, ${failed} failed`)
  return passed && failed === 0 && ok > 0 ? 0 : 1
}

async function everything(env) {
  // A machine without Chromium loads it meanwhile.
  const browser = ensureBrowser()
  return (
    (await staticChecks()) &&
    (await ensureServerBuild()) &&
    (await ensureWebBuild()) &&
    (await sideBySide(unitTests({ ...env, MARQUEE_STATEMENTS: statements }), waitingJourneys(await browser, env))) &&
    (await journeys(await browser, env, OTHERS))
  )
}

async function sideBySide(...steps) {
  return (await Promise.all(steps)).every(Boolean)
}

async function unitTests(env) {
  if (!(await step('Unit and API tests, on SQLite and PostgreSQL', 'vitest', vitestArguments(), { env }))) return false
  const missing = onlyOnSqlite(statements)
  for (const statement of missing) console.error(`No test sends this statement to PostgreSQL: ${statement}`)
  return missing.length === 0
}

async function journeys(browser, env, projects = []) {
  return await playwright(step, 'Journeys in Chromium', { browser, env, projects, output: 'journeys.json' })
}

/** The unit tests leave the processors idle at times, and these journeys most of the time. */
async function waitingJourneys(browser, env) {
  const projects = [WAITING]
  return await playwright(quietStep, 'Journeys that mostly wait', { browser, env, projects, output: 'waiting.json' })
}

async function playwright(runStep, title, { browser, env, projects, output }) {
  if (!browser) return false
  return await runStep(title, 'playwright', ['test', ...projects.map((project) => `--project=${project}`)], {
    folder: 'e2e',
    env: { ...browser, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, output) },
  })
}

function vitestArguments() {
  return ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, 'unit.json')}`]
}

function count() {
  const unit = report('unit.json')
  const browser = ['waiting.json', 'journeys.json'].flatMap((name) => report(name)?.stats ?? [])
  return {
    ok: browser.reduce((sum, { expected }) => sum + expected, unit?.numPassedTests ?? 0),
    failed: browser.reduce((sum, { unexpected }) => sum + unexpected, unit?.numFailedTests ?? 0),
  }
}

function report(name) {
  const path = join(reports, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

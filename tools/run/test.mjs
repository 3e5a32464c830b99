import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './dependencies.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureServerBuild, ensureWebBuild } from './builds.mjs'
import { staticChecks } from './check.mjs'
import { filesInMemory } from './memory-files.mjs'
import { step } from './process.mjs'
import { onlyOnSqlite } from './statements.ts'

/** All journeys against the scaled set-up (e2e/playwright.config.ts). */
const SCALED = { MARQUEE_ARRANGEMENT: 'scaled' }
/** What is shown once is also tried on the other database, with several processes and in all languages (decision 95). */
const ALL = { MARQUEE_VARIATIONS: 'all' }
/** The server as `npm start` runs it. */
const BUILT = { MARQUEE_PROGRAM: 'server/dist/main.js' }
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
      ? (await ensureWebBuild()) && (await journeys({ ...SCALED, ...temporary }))
      : await everything({ ...BUILT, ...temporary, ...(option === '--all' && ALL) })
  const { ok, failed } = count()
  console.log(`\n${ok} passed, ${failed} failed`)
  return passed && failed === 0 && ok > 0 ? 0 : 1
}

async function everything(env) {
  return (
    (await staticChecks()) &&
    (await ensureServerBuild()) &&
    (await unitTests({ ...env, MARQUEE_STATEMENTS: statements })) &&
    (await ensureWebBuild()) &&
    (await journeys(env))
  )
}

async function unitTests(env) {
  if (!(await step('Unit and API tests, on SQLite and PostgreSQL', 'vitest', vitestArguments(), { env }))) return false
  const missing = onlyOnSqlite(statements)
  for (const statement of missing) console.error(`No test sends this statement to PostgreSQL: ${statement}`)
  return missing.length === 0
}

async function journeys(env) {
  const browser = await ensureBrowser()
  if (!browser) return false
  return await step('Journeys in Chromium', 'playwright', ['test'], {
    folder: 'e2e',
    env: { ...browser, ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: join(reports, 'journeys.json') },
  })
}

function vitestArguments() {
  return ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, 'unit.json')}`]
}

function count() {
  const unit = report('unit.json')
  const browser = report('journeys.json')?.stats
  return {
    ok: (unit?.numPassedTests ?? 0) + (browser?.expected ?? 0),
    failed: (unit?.numFailedTests ?? 0) + (browser?.unexpected ?? 0),
  }
}

function report(name) {
  const path = join(reports, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './dependencies.mjs'
import { ensureBrowser } from './browser.mjs'
import { ensureServerBuild, ensureWebBuild } from './builds.mjs'
import { staticChecks } from './check.mjs'
import { filesInMemory } from './memory-files.mjs'
import { step } from './process.mjs'

/** All journeys against the scaled set-up (e2e/playwright.config.ts). */
const SCALED = { MARQUEE_ARRANGEMENT: 'scaled' }
/** The server as `npm start` runs it. */
const BUILT = { MARQUEE_PROGRAM: 'server/dist/main.js' }
const reports = join(root, '.cache', 'reports')

/**
 * `npm test`: all checks and tests, cheapest first, up to the first failure. With `--scaled`, only the journeys, against
 * two processes on PostgreSQL, Redis and S3.
 */
export async function run(args) {
  const isScaled = args.length === 1 && args[0] === '--scaled'
  if (args.length > 0 && !isScaled) {
    console.error('Usage: npm test [-- --scaled]')
    return 2
  }
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  const temporary = filesInMemory()
  const passed = isScaled
    ? (await ensureWebBuild()) && (await journeys({ ...SCALED, ...temporary }))
    : await everything({ ...BUILT, ...temporary })
  const { ok, failed } = count()
  console.log(`\n${ok} passed, ${failed} failed`)
  return passed && failed === 0 && ok > 0 ? 0 : 1
}

async function everything(env) {
  return (
    (await staticChecks()) &&
    (await ensureServerBuild()) &&
    (await step('Unit and API tests, on SQLite and PostgreSQL', 'vitest', vitestArguments(), { env })) &&
    (await ensureWebBuild()) &&
    (await journeys(env))
  )
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

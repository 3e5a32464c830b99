import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { root } from './dependencies.mjs'
import { step } from './process.mjs'

const PROJECTS = ['contract', 'platform', 'identity', 'server', 'web', 'e2e', 'tools']

/** `npm run check`: what a contributor runs before each commit. `npm test` runs the rest. */
export async function run() {
  const passed =
    (await staticChecks()) &&
    (await step('Checks of the repository', 'vitest', ['run', '--project', 'checks'])) &&
    (await step('Unit tests of what changed since main', 'vitest', ['run', '--passWithNoTests', '--changed', base()]))
  return passed ? 0 : 1
}

export async function staticChecks() {
  return (
    (await step('Format', 'oxfmt', ['--check'])) &&
    (await step('Lint', 'oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'])) &&
    (await types()) &&
    (await step('Unused code and packages', 'knip', []))
  )
}

async function types() {
  const cache = join(root, '.cache', 'types')
  mkdirSync(cache, { recursive: true })
  for (const workspace of PROJECTS) {
    const known = join(cache, `${workspace}.json`)
    const args = ['-p', workspace, '--incremental', '--tsBuildInfoFile', known]
    if (!(await step(`Types of ${workspace}`, 'tsc', args))) return false
  }
  return true
}

/** The commit where this branch left main; without main, the last commit. */
function base() {
  for (const main of ['origin/main', 'main']) {
    const found = spawnSync('git', ['merge-base', 'HEAD', main], { cwd: root, encoding: 'utf8' })
    if (found.status === 0) return found.stdout.trim()
  }
  return 'HEAD'
}

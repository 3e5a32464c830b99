import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { ensureBrowser } from './browser.mjs'
import { ensureServerBuild, ensureWebBuild } from './builds.mjs'
import { pinnedNode, root } from './dependencies.mjs'
import { step } from './process.mjs'

/**
 * `npm run bench`: size and speed of the page, cost of a sign-in, and speed of the server with a large database, with a
 * table of all figures at the end. `--large` skips the page, and `--quick` also uses a smaller database. `--small` runs only
 * the main job and open streams on one core with 256 MB. The first run installs the packages of `bench/`.
 */
export async function run(options) {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'))
  const results = join(folder, 'results')
  try {
    const isMeasured = await measure(options, { BENCH_RESULTS: results })
    await step('All figures', pinnedNode, ['bench/table.mjs', results])
    return isMeasured ? 0 : 1
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measure(options, env) {
  const isQuick = options.includes('--quick')
  // `npm start`, which is measured too, would build them.
  if (!(await ensureServerBuild()) || !(await ensureWebBuild())) return false
  if (options.includes('--small')) return await measureSmall(env)
  if (isQuick || options.includes('--large')) return await measureProgram(isQuick, env)
  return (await measurePage()) && (await measureProgram(isQuick, env))
}

async function measureProgram(isQuick, env) {
  const size = isQuick ? ['--quick'] : []
  return (
    (await step('Signing in', pinnedNode, ['bench/sign-in.mjs'], { env })) &&
    (await step('Timing of known and unknown users', pinnedNode, ['bench/identity.mjs'], { env })) &&
    (await step('A large database', pinnedNode, ['bench/large.mjs', ...size], { env })) &&
    (await step('Stalls', pinnedNode, ['bench/stalls.mjs', ...size], { env })) &&
    (await step('One busy watchlist', pinnedNode, ['bench/busy.mjs', ...size], { env })) &&
    (await step('What can be watched', pinnedNode, ['bench/watchable.mjs', ...size], { env })) &&
    (await step('Event streams', pinnedNode, ['bench/streams.mjs'], { env })) &&
    (await step('Receivers that hang', pinnedNode, ['bench/hanging-receivers.mjs'], { env })) &&
    (await step('Ends under load', pinnedNode, ['bench/shutdown.mjs'], { env }))
  )
}

/** The journey and the streams share the control group, so the peak of memory is that of both. */
async function measureSmall(env) {
  const browser = await ensureBrowser()
  if (!browser) return false
  const small = { ...env, ...browser, MARQUEE_PROGRAM: 'bench/setup/small-machine.mjs' }
  const journey = ['test', 'journeys/main-job.e2e.ts', '--project', 'embedded', '--workers', '1']
  return (
    (await step('The main job on a small machine', 'playwright', journey, { folder: 'e2e', env: small })) &&
    (await step('Open streams on a small machine', pinnedNode, ['bench/small.mjs'], { env: small }))
  )
}

async function measurePage() {
  if (!existsSync(join(root, 'bench', 'node_modules', 'lighthouse'))) {
    const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: join(root, 'bench'),
      stdio: 'inherit',
    })
    if (install.status !== 0) return false
  }
  const browser = await ensureBrowser()
  if (!browser) return false
  return (
    (await step('The page', pinnedNode, ['bench/web.mjs'], { env: browser })) &&
    (await step('A feed of 2,000 cards', pinnedNode, ['bench/feed.mjs'], { env: browser })) &&
    (await step('A library of 100,000 posters', pinnedNode, ['bench/library-page.mjs'], { env: browser }))
  )
}

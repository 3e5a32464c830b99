// The npm scripts. Plain JavaScript without dependencies, because any Node runs it until the pinned one is installed.
import process from 'node:process'

import { ensureDependencies, pinnedNode, usesPinnedNode } from './run/dependencies.mjs'
import { exitOf, forwardSignals, start } from './run/process.mjs'

const COMMANDS = {
  start: () => import('./run/start.mjs'),
  dev: () => import('./run/dev.mjs'),
  check: () => import('./run/check.mjs'),
  test: () => import('./run/test.mjs'),
  screens: () => import('./run/screens.mjs'),
  marquee: () => serverScript('cli/marquee.ts'),
  release: () => import('./run/release.mjs'),
  bench: () => import('./run/bench.mjs'),
  fuzz: () => serverScript('testing/fuzz/main.ts'),
  'rolling-upgrade': () => serverScript('testing/rolling-upgrade/main.ts'),
  'past-version': () => serverScript('testing/past-versions/main.ts'),
  worlds: () => serverScript('testing/worlds/main.ts'),
  settings: () => import('./run/settings.ts'),
  promises: () => import('./run/promises.ts'),
  evidence: () => import('./run/evidence.ts'),
  simulate: () => import('./run/simulate.ts'),
  mutants: () => import('./run/mutants.ts'),
}

const [name, ...rest] = process.argv.slice(2)
if (!Object.hasOwn(COMMANDS, name)) {
  console.error(`Usage: node tools/run.mjs ${Object.keys(COMMANDS).join('|')}`)
  process.exit(2)
}

await ensureDependencies(['start', 'marquee'].includes(name) ? 'running' : 'all')
// `npm start` is quick in any Node: it starts the pinned one for the server only.
if (name === 'start' || usesPinnedNode()) {
  const { run } = await COMMANDS[name]()
  process.exitCode = await run(rest)
} else {
  const again = start(pinnedNode, [process.argv[1], name, ...rest], { linked: true })
  forwardSignals([again])
  process.exitCode = await exitOf(again)
}

/** A command whose code belongs to the server. */
function serverScript(path) {
  return {
    run: async (args) => {
      const command = start(pinnedNode, [`server/src/${path}`, ...args])
      forwardSignals([command])
      return await exitOf(command)
    },
  }
}

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ensureBrowser } from './browser.mjs'
import { pinnedNode } from './dependencies.mjs'
import { step } from './process.mjs'
import { root } from './root.mjs'
import { ensureWebBuild } from './web-build.mjs'

/** `npm run bench`: prints what the page weighs, how it moves, and what signing in costs. What only it needs is installed at its first run. */
export async function run() {
  if (!existsSync(join(root, 'bench', 'node_modules', 'lighthouse'))) {
    const install = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: join(root, 'bench'),
      stdio: 'inherit',
    })
    if (install.status !== 0) return 1
  }
  if (!(await ensureWebBuild())) return 1
  const browser = await ensureBrowser()
  if (!browser) return 1
  const isMeasured =
    (await step('The page', pinnedNode, ['bench/web.mjs'], { env: browser })) &&
    (await step('A feed of 2,000 cards', pinnedNode, ['bench/feed.mjs'], { env: browser })) &&
    (await step('Signing in', pinnedNode, ['bench/sign-in.mjs'])) &&
    (await step('What a watch tells', pinnedNode, ['bench/identity.mjs']))
  return isMeasured ? 0 : 1
}

import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { ensureBrowser } from './browser.mjs'
import { ensureWebBuild } from './builds.mjs'
import { root } from './dependencies.mjs'
import { step } from './process.mjs'

/** e2e/screens/shoot.ts writes here. */
const pictures = join(root, '.cache', 'pictures')

/** `npm run screens`: takes pictures of all screens from the built app and the real server into an ignored folder. */
export async function run() {
  if (!(await ensureWebBuild())) return 1
  const browser = await ensureBrowser()
  if (!browser) return 1
  rmSync(pictures, { recursive: true, force: true })
  mkdirSync(pictures, { recursive: true })
  const config = ['--config', 'screens/playwright.config.ts']
  const taken = await step('Pictures of every screen', 'playwright', ['test', ...config], {
    folder: 'e2e',
    env: browser,
  })
  if (taken) console.log('The pictures are in .cache/pictures.')
  return taken ? 0 : 1
}

import { ensureBrowser } from './browser.mjs'
import { ensureWebBuild } from './builds.mjs'
import { step } from './process.mjs'

/** `npm run screens`: takes the pictures of docs/screens from the built app and the real server. */
export async function run() {
  if (!(await ensureWebBuild())) return 1
  const browser = await ensureBrowser()
  if (!browser) return 1
  const config = ['--config', 'screens/playwright.config.ts']
  const taken = await step('Pictures of every screen', 'playwright', ['test', ...config], {
    folder: 'e2e',
    env: browser,
  })
  return taken ? 0 : 1
}

import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

import { step } from './process.mjs'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
/** Chromium without its windows. It draws and runs pages in the same way, with a third less processor time. */
const HEADLESS = 'chromium-headless-shell'
const ADVICE =
  'The browser journeys need Chromium: install it (on Debian: apt-get install chromium) or name one in CHROMIUM_PATH.'

/**
 * The settings with which the journeys find Chromium: the one in CHROMIUM_PATH, one on the machine, Debian's package if
 * apt may install it, or Playwright's download. Undefined, after an advice, if there is none. Most journeys take the one
 * without windows, if it is there or may be installed.
 */
export async function ensureBrowser() {
  const found = process.env.CHROMIUM_PATH || findBrowser(NAMES) || (await installFromDebian('chromium'))
  if (found) {
    const headless = findBrowser([HEADLESS]) ?? (await installFromDebian(HEADLESS))
    return { CHROMIUM_PATH: found, ...(headless && { CHROMIUM_HEADLESS_PATH: headless }) }
  }
  if (await step("Playwright's own Chromium", 'playwright', ['install', 'chromium'], { folder: 'e2e' })) return {}
  console.error(ADVICE)
  return undefined
}

async function installFromDebian(name) {
  if (!mayUseApt()) return undefined
  const wait = ['-o', 'Acquire::http::Timeout=20', '-o', 'Acquire::Retries=1']
  await step('The list of packages', 'apt-get', [...wait, 'update', '-qq'])
  await step(name, 'apt-get', [...wait, 'install', '-y', '-qq', '--no-install-recommends', name], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  })
  return findBrowser([name])
}

function findBrowser(names) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      if (isExecutable(path)) return path
    }
  }
  return undefined
}

function mayUseApt() {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

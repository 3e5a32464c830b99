import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

import { step } from './process.mjs'

/** Chromium without its windows needs about two thirds of the processor time. It draws and runs pages in the same way. */
const HEADLESS = 'chromium-headless-shell'
const NAMES = [HEADLESS, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const ADVICE =
  'The browser journeys need Chromium: install it (on Debian: apt-get install chromium) or name one in CHROMIUM_PATH.'

/**
 * The settings with which the journeys find Chromium: the one in CHROMIUM_PATH, one on the machine, Debian's package if
 * apt may install it, or Playwright's download. Undefined, after an advice, if there is none.
 */
export async function ensureBrowser() {
  const found = findBrowser() ?? (await installFromDebian())
  if (found) return { CHROMIUM_PATH: found }
  if (await step("Playwright's own Chromium", 'playwright', ['install', 'chromium'], { folder: 'e2e' })) return {}
  console.error(ADVICE)
  return undefined
}

async function installFromDebian() {
  if (!mayUseApt()) return undefined
  const apt = ['install', '-y', '-qq', '--no-install-recommends', 'chromium']
  await step('The list of packages', 'apt-get', ['update', '-qq'])
  await step('Chromium', 'apt-get', apt, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
  return findBrowser()
}

function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of NAMES) {
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

import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'

import { step } from './process.mjs'

/** Chromium without its windows. It draws and runs pages in the same way, with a third less processor time. */
const HEADLESS = 'chromium-headless-shell'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const ADVICE =
  'The browser journeys need Chromium: install it (on Debian: apt-get install chromium) or name one in CHROMIUM_PATH.'

/**
 * The settings with which the journeys find Chromium: the one in CHROMIUM_PATH, one without windows if apt may install it,
 * any on the machine, Debian's package, or Playwright's download. Undefined, after an advice, if there is none.
 */
export async function ensureBrowser() {
  const found =
    process.env.CHROMIUM_PATH ||
    findBrowser([HEADLESS]) ||
    (await installFromDebian(HEADLESS)) ||
    findBrowser(NAMES) ||
    (await installFromDebian('chromium'))
  if (found) return { CHROMIUM_PATH: found }
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

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

import { root } from './root.mjs'

export const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const stamp = join(root, 'node_modules', '.installed')

/** Installs the locked dependencies, the pinned Node among them, unless exactly these are there already. */
export function ensureDependencies() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  if (existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing the dependencies (takes a few minutes, and only once) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const install = spawnSync(npm, ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) {
    console.error('The dependencies could not be installed; npm says why above. Nothing was started.')
    process.exit(1)
  }
  writeFileSync(stamp, wanted)
}

export function usesPinnedNode() {
  return realpathSync(process.execPath) === realpathSync(pinnedNode)
}

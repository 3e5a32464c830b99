import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const stamp = join(root, 'node_modules', '.installed')

/** What runs the server and builds the web app. Tests and linters are dependencies of the root and of e2e. */
const RUNNING = ['contract', 'platform', 'identity', 'server', 'web']

/**
 * Installs the locked dependencies, including the pinned Node, unless they are installed already: `running` is what
 * `npm start` needs, `all` adds the test tools.
 */
export function ensureDependencies(extent) {
  const version = manifestHash()
  const installed = existsSync(pinnedNode) && existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
  if (installed === `all ${version}` || installed === `${extent} ${version}`) return
  console.log('Installing the dependencies (takes about a minute, once per version) …')
  // An install that is interrupted must not count as done.
  rmSync(stamp, { force: true })
  // Adding the test tools must not take the packages away from a server that runs.
  const command = installed === `running ${version}` ? ['install', '--no-save'] : ['ci']
  const workspaces = extent === 'all' ? [] : RUNNING.map((name) => `--workspace=${name}`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = [...command, '--include=dev', ...workspaces, '--no-audit', '--no-fund', '--loglevel=error']
  const install = spawnSync(npm, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (install.status !== 0) {
    console.error('npm could not install the dependencies and says why above. Nothing was started.')
    process.exit(1)
  }
  writeFileSync(stamp, `${extent} ${version}`)
}

export function usesPinnedNode() {
  return realpathSync(process.execPath) === realpathSync(pinnedNode)
}

function manifestHash() {
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const hash = createHash('sha256')
  for (const path of ['package-lock.json', 'package.json', ...workspaces.map((name) => join(name, 'package.json'))]) {
    hash.update(readFileSync(join(root, path))).update('\0')
  }
  return hash.digest('hex')
}

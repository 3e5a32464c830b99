import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** The folder of the repository. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

export const pinnedNode = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
const stamp = join(root, 'node_modules', '.installed')

/** What runs the server and builds the web app. Tests and linters are dependencies of the root and of e2e. */
const RUNNING = ['contract', 'platform', 'identity', 'server', 'web']

/** Has the id of the process that installs. `npm ci` deletes node_modules, so it is elsewhere. */
const lock = join(root, '.cache', 'installing')
const LOOK_MS = 500
/** The id in an older lock may belong to another program by now. */
const LONGEST_INSTALL_MS = 15 * 60_000

/**
 * Installs the locked dependencies, including the pinned Node, unless they are installed already: `running` is what
 * `npm start` needs, `all` adds the test tools.
 */
export async function ensureDependencies(extent) {
  if (isInstalled(extent)) return
  await takeLock()
  // The process that had the lock may have installed them.
  const succeeded = isInstalled(extent) || (await install(extent))
  rmSync(lock, { force: true })
  if (succeeded) return
  console.error('npm could not install the dependencies and says why above. Nothing was started.')
  process.exit(1)
}

async function install(extent) {
  console.log('Installing the dependencies (takes about a minute, once per version) …')
  const version = manifestHash()
  // Adding the test tools must not take the packages away from a server that runs.
  const command = readStamp() === `running ${version}` ? ['install', '--no-save'] : ['ci']
  // An install that is interrupted must not count as done.
  rmSync(stamp, { force: true })
  const workspaces = extent === 'all' ? [] : RUNNING.map((name) => `--workspace=${name}`)
  const isWindows = process.platform === 'win32'
  const args = [...command, '--include=dev', ...workspaces, '--no-audit', '--no-fund', '--loglevel=error']
  const npm = spawn(isWindows ? 'npm.cmd' : 'npm', args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: isWindows,
  })
  // npm may outlive this process if it is killed.
  if (npm.pid !== undefined) writeLock(npm.pid)
  const [code] = await once(npm, 'exit').catch((error) => [console.error(error.message)])
  if (code !== 0) return false
  writeFileSync(stamp, `${extent} ${version}`)
  return true
}

function isInstalled(extent) {
  if (!existsSync(pinnedNode)) return false
  const version = manifestHash()
  return [`all ${version}`, `${extent} ${version}`].includes(readStamp())
}

function readStamp() {
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : ''
}

/**
 * Waits while another process installs. Several processes may write their id to a lock that is free or whose owner was
 * killed. The last one to write has the lock, which all see after a pause.
 */
async function takeLock() {
  mkdirSync(dirname(lock), { recursive: true })
  let isWaiting = false
  for (let owner = lockOwner(); owner !== process.pid; owner = lockOwner()) {
    if (owner === undefined) writeLock(process.pid)
    else if (!isWaiting) console.log('Waiting for another process that installs the dependencies …')
    isWaiting = owner !== undefined
    await pause(LOOK_MS)
  }
}

/** Replaces the file, so that no process reads half of it. */
function writeLock(id) {
  const draft = `${lock}.${process.pid}`
  writeFileSync(draft, String(id))
  renameSync(draft, lock)
}

/** The id of the process that has the lock; undefined if there is none, or it does not run. */
function lockOwner() {
  try {
    if (Date.now() - statSync(lock).mtimeMs > LONGEST_INSTALL_MS) return undefined
    const owner = Number(readFileSync(lock, 'utf8'))
    process.kill(owner, 0)
    return owner
  } catch {
    return undefined
  }
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

import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const SERVER = [
  '--max-semi-space-size=8',
  '--no-allocation-site-pretenuring',
  '--heap-growing-percent=60',
  fileAt('dist/main.js'),
]
const COMMANDS = [fileAt('commands.mjs')]
/** Node 22 calls its SQLite experimental. */
const QUIET = '--disable-warning=ExperimentalWarning'

/**
 * Replaces this process by the server or a command, with the settings of Node and of the allocator that `npm start` uses. They
 * count only from the start of a process. A Node that cannot replace its process starts another one.
 * @param {string[]} words
 */
export async function run(words) {
  const args = [QUIET, ...(words.length === 0 ? SERVER : [...COMMANDS, ...words])]
  const env = { ...settings(), ...process.env }
  if (process.execve !== undefined && process.platform !== 'win32') {
    process.execve(process.execPath, [process.execPath, ...args], env)
  }
  const child = spawn(process.execPath, args, { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  process.exitCode = await new Promise((resolve) => {
    child.once('close', (code) => resolve(code ?? 1))
  })
}

/** A folder that Node cannot write to is no failure: the next start is then as slow as the first. */
function settings() {
  const caches = process.env.XDG_CACHE_HOME || join(homedir(), '.cache')
  return {
    NODE_ENV: 'production',
    NODE_COMPILE_CACHE: join(caches, 'marquee'),
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '32768',
  }
}

/** @param {string} name */
function fileAt(name) {
  return join(import.meta.dirname, name)
}

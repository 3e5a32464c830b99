import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

import { freePort } from './free-port.ts'

const NAMES = ['redis-server', 'valkey-server']
const STARTS_WITHIN_MS = 10_000
const ADVICE =
  'These tests need a Redis: install it (on Debian: apt-get install redis-server) or name one in REDIS_SERVER_PATH.'

export type RedisServer = {
  readonly url: string
  /** Ends it immediately, like a crash; its data is lost. */
  kill: () => Promise<void>
  /** While frozen, it accepts connections and does not reply. */
  freeze: (frozen: boolean) => void
  /** Starts it on the same port, empty. */
  start: () => Promise<void>
}

/** A real, empty Redis or Valkey server on a free port. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const program = redisProgram()
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
    const started = spawn(program, options, { cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    // Also if this process ends before it could stop Redis.
    const endWithUs = (): void => void started.kill('SIGKILL')
    process.once('exit', endWithUs)
    started.once('exit', () => process.off('exit', endWithUs))
    const ready = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      ready.reject(new Error('Redis did not start in time'))
    }, STARTS_WITHIN_MS)
    let printed = ''
    started.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (/ready to accept connections/iu.test(printed)) ready.resolve()
    })
    started.once('error', ready.reject)
    started.once('exit', () => {
      ready.reject(new Error(`Redis ended: ${printed}`))
    })
    await ready.promise
    clearTimeout(timer)
  }

  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    freeze: (frozen) => {
      child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT')
    },
    kill: async () => {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** The program named in the environment, one on the machine, or Debian's package if it may be installed. */
function redisProgram(): string {
  const found = process.env['REDIS_SERVER_PATH'] ?? onPath() ?? fromDebian()
  if (found === undefined || found === '') throw new Error(ADVICE)
  return found
}

function onPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name))).find(isExecutable)
}

function fromDebian(): string | undefined {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // Another test file may be installing it: wait for apt's lock.
  const wait = ['-o', 'DPkg::Lock::Timeout=120', '-qq']
  execFileSync('apt-get', ['update', ...wait], { env, stdio: 'ignore' })
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...wait, 'redis-server'], {
    env,
    stdio: 'ignore',
  })
  return onPath()
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

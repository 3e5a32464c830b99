import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const READY_WITHIN_MS = 60_000
/** With what Node made of the sources the last time, a start takes half as long. */
export const PROGRAM_ENV = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') }

/** `scaled`: two processes on PostgreSQL, Redis and S3, requests spread over both. */
export type Arrangement = 'embedded' | 'scaled'

/** One of two processes: where it answers, and where it tells what it did. */
export type RunningProcess = { url: string; metricsUrl: string }

/** The program as `npm start` runs it, on a free port, with a data folder of its own. */
export type RunningServer = {
  url: string
  dataDir: string
  /** The settings with which an operator's command finds the same instance. */
  settings: () => Readonly<Record<string, string>>
  /** What it printed so far, errors too. */
  output: () => string
  /** Ends it at once, as a power cut would, and starts it again on the same data. */
  killAndRestart: () => Promise<void>
  /** The two processes; none where there is but one. */
  processes: () => readonly RunningProcess[]
  /** Asks one of two processes to end and waits until it has; `startProcess` starts it again. */
  endProcess: (place: number) => Promise<void>
  startProcess: (place: number) => Promise<void>
  stop: () => Promise<void>
}

/** What the process that starts the two processes tells of them. */
type Told = { settings: Readonly<Record<string, string>>; processes: readonly RunningProcess[] }

/** Starts the real server, on a free port unless the settings name one, and waits until it says that it is ready. */
export async function startServer(
  arrangement: Arrangement,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningServer> {
  const isScaled = arrangement === 'scaled'
  const dataDir = await mkdtemp(join(tmpdir(), 'marquee-journey-'))
  const port = settings['PORT'] ?? String(await freePort())
  const url = `http://localhost:${port}`
  let printed = ''
  let told: Told = { settings: {}, processes: [] }
  let child = launch()

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [isScaled ? 'tools/run/scaled.ts' : 'server/src/main.ts'], {
      cwd: root,
      env: {
        ...PROGRAM_ENV,
        PORT: port,
        DATA_DIR: dataDir,
        // All journeys share one address.
        RATE_LIMITS: 'off',
        // Journeys answer for poster hosts in the browser. The server cannot reach them.
        REMOTE_POSTERS: 'direct',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(isScaled ? (['ipc'] as const) : [])],
    })
    started.on('message', (message) => {
      if (typeof message === 'object' && 'settings' in message) told = message as Told
    })
    for (const stream of [started.stdout, started.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
      })
    }
    return started
  }

  async function ready(): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS
    while (performance.now() < deadline) {
      if (child.exitCode !== null) throw new Error(`The server ended at its start:\n${printed}`)
      const answer = await fetch(`${url}/readyz`).catch(() => undefined)
      if (answer?.ok === true) return
      await pause(50)
    }
    throw new Error(`The server was not ready in time:\n${printed}`)
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  /** Has something done with the processes, and waits until it is. */
  async function order(wish: string): Promise<void> {
    const { promise: done, resolve, reject } = Promise.withResolvers<undefined>()
    const hear = (message: unknown): void => {
      if ((message as { done?: string }).done === wish) resolve(undefined)
    }
    const fail = (): void => {
      reject(new Error(`It ended instead of "${wish}":\n${printed}`))
    }
    child.on('message', hear).once('exit', fail)
    child.send(wish)
    await done.finally(() => child.off('message', hear).off('exit', fail))
  }

  await ready()
  return {
    url,
    dataDir,
    settings: () => ({ ...settings, PUBLIC_URL: url, DATA_DIR: dataDir, ...told.settings }),
    output: () => printed,
    killAndRestart: async () => {
      if (isScaled) return await order('kill')
      await end('SIGKILL')
      child = launch()
      await ready()
    },
    processes: () => told.processes,
    endProcess: async (place) => {
      await order(`end ${place}`)
    },
    startProcess: async (place) => {
      await order(`start ${place}`)
    },
    stop: async () => {
      await end('SIGTERM')
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** A port nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

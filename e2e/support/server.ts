import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { freePort } from '@marquee/platform/testing/free-port'

const root = fileURLToPath(new URL('../../', import.meta.url))
const READY_WITHIN_MS = 60_000
/** The compile cache halves the time of a start. */
export const PROGRAM_ENV = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(root, '.cache', 'compiled') }

/** `npm test` tests the built server; a single journey needs no build of it. */
const { MARQUEE_PROGRAM: PROGRAM = 'server/src/main.ts' } = process.env

/** `scaled`: two processes on PostgreSQL, Redis and S3, requests spread over both. */
export type Arrangement = 'embedded' | 'scaled'

/** The addresses of one of two processes. */
export type RunningProcess = { url: string; metricsUrl: string }

/** A server with its own port and data folder. */
export type RunningServer = {
  url: string
  dataDir: string
  /** The settings with which an operator's command finds the same instance. */
  settings: () => Readonly<Record<string, string>>
  /** Its output so far, with errors. */
  output: () => string
  /** Kills it, as a power cut does, and starts it again with the same data. */
  killAndRestart: () => Promise<void>
  /** The two processes, none if embedded. */
  processes: () => readonly RunningProcess[]
  /** Ends one of the two processes gracefully. `startProcess` starts it again. */
  endProcess: (place: number) => Promise<void>
  startProcess: (place: number) => Promise<void>
  stop: (how?: { keepsData?: boolean }) => Promise<void>
}

/** The report of the process that starts the two processes. */
type ScaledReport = { settings: Readonly<Record<string, string>>; processes: readonly RunningProcess[] }

/** Starts the real server, or another program, and waits until it is ready. Its port is free unless the settings name one. */
export async function startServer(
  arrangement: Arrangement,
  settings: Readonly<Record<string, string>> = {},
  program = PROGRAM,
): Promise<RunningServer> {
  const isScaled = arrangement === 'scaled'
  const dataDir = settings['DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'marquee-journey-')))
  const port = settings['PORT'] ?? String(await freePort())
  const url = `http://localhost:${port}`
  let printed = ''
  let report: ScaledReport = { settings: {}, processes: [] }
  let child = launch()

  function launch(): ChildProcess {
    const started = spawn(process.execPath, [isScaled ? 'tools/run/scaled.ts' : program], {
      cwd: root,
      env: {
        ...PROGRAM_ENV,
        PORT: port,
        DATA_DIR: dataDir,
        // What the scaled set-up starts.
        ...(isScaled && { MARQUEE_PROGRAM: program }),
        // All journeys share one IP address.
        RATE_LIMITS: 'off',
        // Journeys answer for poster hosts in the browser. The server cannot reach them.
        REMOTE_POSTERS: 'direct',
        // The server cannot reach it. Journeys about it use stand-ins.
        CATALOGUE: 'off',
        // No load balancer has to notice that a single process ends.
        ...(!isScaled && { SHUTDOWN_LEAD: '0' }),
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(isScaled ? (['ipc'] as const) : [])],
    })
    started.on('message', (message) => {
      if (typeof message === 'object' && 'settings' in message) report = message as ScaledReport
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
      if (child.exitCode !== null) throw new Error(`The server ended during the start:\n${printed}`)
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

  /** Sends a command to the process that starts the two, and waits until it is done. */
  async function send(command: string): Promise<void> {
    const { promise: done, resolve, reject } = Promise.withResolvers<undefined>()
    const onMessage = (message: unknown): void => {
      if ((message as { done?: string }).done === command) resolve(undefined)
    }
    const onExit = (): void => {
      reject(new Error(`It ended instead of "${command}":\n${printed}`))
    }
    child.on('message', onMessage).once('exit', onExit)
    child.send(command)
    await done.finally(() => child.off('message', onMessage).off('exit', onExit))
  }

  await ready()
  return {
    url,
    dataDir,
    settings: () => ({ ...settings, PUBLIC_URL: url, DATA_DIR: dataDir, ...report.settings }),
    output: () => printed,
    killAndRestart: async () => {
      if (isScaled) return await send('kill')
      await end('SIGKILL')
      child = launch()
      await ready()
    },
    processes: () => report.processes,
    endProcess: async (place) => {
      await send(`end ${place}`)
    },
    startProcess: async (place) => {
      await send(`start ${place}`)
    },
    stop: async ({ keepsData = false } = {}) => {
      await end('SIGTERM')
      if (!keepsData) await rm(dataDir, { recursive: true, force: true })
    },
  }
}

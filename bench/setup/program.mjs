import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

import { freePort } from '@marquee/platform/testing/free-port'
import { root } from '../../tools/run/dependencies.mjs'
import { SERVER, SERVER_ENV } from '../../tools/run/start.mjs'

const READY_WITHIN_MS = 60_000

const AS_DEPLOYED = [process.execPath, ...SERVER]

/** Starts the server of a checkout as it is deployed, without rate limits. `startMs` is the time until it was ready. */
export async function startProgram(settings, [command, ...given] = AS_DEPLOYED, checkout = root) {
  const port = await freePort()
  const begin = performance.now()
  const child = spawn(command, given, {
    cwd: checkout,
    // The hosts of the posters do not exist.
    env: {
      ...SERVER_ENV,
      PORT: String(port),
      RATE_LIMITS: 'off',
      REMOTE_POSTERS: 'direct',
      LOG_LEVEL: 'error',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let complaints = ''
  child.stderr.on('data', (chunk) => {
    complaints += chunk
    // The error line of a call says why it failed.
    process.stderr.write(chunk)
  })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The program ended at its start:\n${complaints}`)
    if (performance.now() - begin > READY_WITHIN_MS) throw new Error('The program was not ready in time')
    const reply = await fetch(`${url}/readyz`).catch(() => undefined)
    await reply?.arrayBuffer()
    if (reply?.ok) break
    await pause(5)
  }
  const startMs = performance.now() - begin
  return {
    port,
    pid: child.pid,
    url,
    startMs,
    memory: async () => await anonymousBytes(child.pid),
    stop: async () => {
      const closed = once(child, 'close')
      child.kill('SIGTERM')
      // Not 'exit': npm ends before the server, which keeps the pipe open and the database locked until it has ended.
      await closed
    },
  }
}

/** The memory of the process without mapped files, in bytes. */
async function anonymousBytes(pid) {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return Number(/^Anonymous:\s+(\d+) kB$/mu.exec(rollup)?.[1]) * 1024
}

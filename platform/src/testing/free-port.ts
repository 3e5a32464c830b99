import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system chooses itself, for connections too (32768 and up on Linux). */
const FIRST = 20_000
const PER_RANGE = 100
const WORKERS = 25
const OTHERS = 100

let next = 0

/**
 * A port of 127.0.0.1 that no one listens at. Each process takes from a range of its own, so no other has the port before it is
 * used: the test would then talk to a server of another one.
 */
export async function freePort(): Promise<number> {
  const first = FIRST + rangeOf(process.env) * PER_RANGE
  for (let tries = 0; tries < PER_RANGE; tries += 1) {
    const port = first + (next % PER_RANGE)
    next += 1
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port')
}

/** By the number of the worker of Vitest or Playwright. Other processes, which they may start at once, go by their id. */
function rangeOf({ VITEST_POOL_ID, TEST_PARALLEL_INDEX }: NodeJS.ProcessEnv): number {
  const worker = VITEST_POOL_ID ?? TEST_PARALLEL_INDEX
  return worker === undefined ? WORKERS + (process.pid % OTHERS) : Number(worker) % WORKERS
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  try {
    await once(probe, 'listening')
  } catch {
    return false
  }
  probe.close()
  await once(probe, 'close')
  return true
}

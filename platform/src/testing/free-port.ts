import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that the system chooses itself, for connections too (32768 and up on Linux). */
const FIRST = 20_000
const PER_WORKER = 400
const MOST_WORKERS = 24
/** The number of this worker of Vitest or Playwright; other programs share a range. */
const workerOf = ({ VITEST_POOL_ID, TEST_PARALLEL_INDEX }: NodeJS.ProcessEnv) =>
  Number(VITEST_POOL_ID ?? TEST_PARALLEL_INDEX ?? MOST_WORKERS)

let next = 0

/**
 * A port of 127.0.0.1 that no one listens at. Each worker has ports of its own, so no other takes it before it is used: the test
 * would then talk to a server of another one.
 */
export async function freePort(): Promise<number> {
  const first = FIRST + (workerOf(process.env) % (MOST_WORKERS + 1)) * PER_WORKER
  for (let tries = 0; tries < PER_WORKER; tries += 1) {
    const port = first + (next % PER_WORKER)
    next += 1
    if (await isFree(port)) return port
  }
  throw new Error('There is no free port')
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

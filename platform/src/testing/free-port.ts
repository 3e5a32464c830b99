import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Below the ports that the system chooses itself, for connections too (32768 and up on Linux). */
const FIRST = 20_000
const PER_RANGE = 100
const WORKERS = 25
const OTHERS = 100

let next = 0
let claimed: Promise<number> | undefined

/**
 * A port of 127.0.0.1 that no one listens at. Each process takes from a range of its own, so no other has the port before it is
 * used: the test would then talk to a server of another one.
 */
export async function freePort(): Promise<number> {
  const first = await ownRange()
  for (let tries = 0; tries < PER_RANGE; tries += 1) {
    const port = first + (next % PER_RANGE)
    next += 1
    if ((await listenAt(port, { briefly: true })) !== undefined) return port
  }
  throw new Error('There is no free port')
}

/** By the number of the worker of Vitest or Playwright. Other processes, which they may start at once, claim a range. */
async function ownRange(): Promise<number> {
  const worker = process.env['VITEST_POOL_ID'] ?? process.env['TEST_PARALLEL_INDEX']
  if (worker !== undefined) return FIRST + (Number(worker) % WORKERS) * PER_RANGE
  claimed ??= claimRange()
  return await claimed
}

/** A range whose first port this process holds until it ends. */
async function claimRange(): Promise<number> {
  for (let tries = 0; tries < OTHERS; tries += 1) {
    const guard = FIRST + (WORKERS + ((process.pid + tries) % OTHERS)) * PER_RANGE
    if ((await listenAt(guard)) !== undefined) return guard
  }
  throw new Error('There is no free range of ports')
}

/** Undefined if another process listens there. The server alone keeps no process alive. */
async function listenAt(port: number, { briefly = false } = {}): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1').unref()
  try {
    await once(server, 'listening')
  } catch {
    return undefined
  }
  if (briefly) {
    server.close()
    await once(server, 'close')
  }
  return server
}

import process from 'node:process'

import { freePort } from '@marquee/platform/testing/free-port'
import { startProgram } from '../setup/program.mjs'
import { SERVER } from '../../tools/run/start.mjs'

/**
 * Starts the server so that it collects garbage on demand. `held` is the memory that the process has after that: what it
 * needs, without what requests have left.
 */
export async function startInspected(settings) {
  const port = await freePort()
  const program = await startProgram(settings, [process.execPath, `--inspect=127.0.0.1:${port}`, ...SERVER])
  const [{ webSocketDebuggerUrl }] = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
  const inspector = new WebSocket(webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    inspector.addEventListener('open', resolve, { once: true })
    inspector.addEventListener('error', () => reject(new Error('The inspector does not answer')), { once: true })
  })
  const collectGarbage = async () => {
    const collected = new Promise((resolve) => inspector.addEventListener('message', resolve, { once: true }))
    inspector.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' }))
    await collected
  }
  return {
    ...program,
    held: async () => {
      await collectGarbage()
      // The first collection frees what the second gives back to the operating system.
      await collectGarbage()
      return await program.memory()
    },
    stop: async () => {
      inspector.close()
      await program.stop()
    },
  }
}

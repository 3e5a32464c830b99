import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts the process that creates the load; `run` takes the options of `drive`. */
export function loadMaker() {
  const child = fork(join(import.meta.dirname, 'process.mjs'))
  return {
    run: async (order) => {
      child.send(order)
      const [{ result, error }] = await once(child, 'message')
      if (error) throw new Error(`${order.name ?? 'The load'} failed: ${error}`)
      return result
    },
    stop: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

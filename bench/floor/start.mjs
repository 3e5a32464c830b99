import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts a floor, `sqlite` with a path or `postgres` with a URL. */
export async function startFloor(kind, where) {
  const child = fork(join(import.meta.dirname, `${kind}.mjs`), [where])
  const [{ port }] = await once(child, 'message')
  return {
    port,
    pid: child.pid,
    stop: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

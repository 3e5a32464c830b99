import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The CPU time of all threads of a process so far, in milliseconds. */
export function processorMs(pid) {
  const tasks = `/proc/${pid}/task`
  const times = readdirSync(tasks).map((id) => Number(readFileSync(join(tasks, id, 'schedstat'), 'utf8').split(' ')[0]))
  return times.reduce((sum, time) => sum + time, 0) / 1e6
}

// A program for `MARQUEE_PROGRAM`: runs the built server as on a small machine. A control group of the kernel limits its
// memory and that of the processes it starts, with the file cache; the kernel kills the process that needs more.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

import { SERVER } from '../../tools/run/start.mjs'

const LIMIT = 256 * 2 ** 20
const ROOT = '/sys/fs/cgroup'
const isVersion2 = existsSync(join(ROOT, 'cgroup.controllers'))
const group = join(ROOT, isVersion2 ? '' : 'memory', 'marquee-small-machine')

/** The most memory that the group has used so far, in bytes. */
export function peakMemory() {
  return Number(readFileSync(join(group, isVersion2 ? 'memory.peak' : 'memory.max_usage_in_bytes'), 'utf8'))
}

/** How often the kernel had to kill a process of the group. */
export function killsForMemory() {
  const text = readFileSync(join(group, isVersion2 ? 'memory.events' : 'memory.oom_control'), 'utf8')
  return Number(/^oom_kill (\d+)$/mu.exec(text)?.[1] ?? 0)
}

/** Removes the group, once its processes have ended, and with it what it has counted. */
export function removeGroup() {
  if (existsSync(group)) rmdirSync(group)
}

function limitThisProcess() {
  mkdirSync(group, { recursive: true })
  const limits = isVersion2
    ? { 'memory.max': LIMIT, 'memory.swap.max': 0 }
    : { 'memory.limit_in_bytes': LIMIT, 'memory.swappiness': 0 }
  for (const [name, limit] of Object.entries(limits)) writeFileSync(join(group, name), String(limit))
  writeFileSync(join(group, 'cgroup.procs'), String(process.pid))
  const { status } = spawnSync('taskset', ['--pid', '--cpu-list', '0', String(process.pid)])
  if (status !== 0) throw new Error('taskset cannot limit the server to one core')
}

if (process.argv[1] === import.meta.filename) {
  limitThisProcess()
  process.execve(process.execPath, [process.execPath, ...SERVER], process.env)
}

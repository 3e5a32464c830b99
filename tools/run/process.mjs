import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'

import { pinnedNode } from './dependencies.mjs'
import { root } from './root.mjs'

/** Runs one program of the repository under the pinned Node until it ends; true if it ended well. */
export async function step(title, program, args, { folder = '.', env = {} } = {}) {
  console.log(`\n── ${title}`)
  return (await exitOf(start(program, args, { folder, env }))) === 0
}

/**
 * Starts a program with the pinned Node and the installed tools first on its path; it shares this terminal. With
 * `linked` a channel to it is open while this process lives, so that it learns when this process is killed.
 */
export function start(program, args, { folder = '.', env = {}, linked = false } = {}) {
  const path = [dirname(pinnedNode), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return spawn(program, args, {
    cwd: join(root, folder),
    stdio: linked ? ['inherit', 'inherit', 'inherit', 'ipc'] : 'inherit',
    env: { ...process.env, ...env, PATH: path },
  })
}

/** The exit code of a started program; one that was ended by a signal or could not be started counts as failed. */
export async function exitOf(child) {
  return await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

const LOOK_MS = 500

/**
 * Passes requests to stop on to the children, who then end in their own time. That npm, or the process which started this
 * one over a channel, is gone is such a request too: npm passes none on when it is killed, and else only to its shell.
 */
export function forwardSignals(children) {
  const stop = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  // To listen keeps a process, which is to end with its children.
  process.channel?.unref()
  if (process.env.npm_lifecycle_event === undefined) return
  const npm = starters()
  const timer = setInterval(() => {
    if (starters() === npm) return
    clearInterval(timer)
    stop()
  }, LOOK_MS).unref()
}

/** The process that started this one, and npm, where that started a shell for it. */
function starters() {
  const parent = process.ppid
  return `${parent} ${isShellOfNpm(parent) ? parentOf(parent) : ''}`
}

function isShellOfNpm(pid) {
  const script = process.env.npm_lifecycle_script ?? ''
  return script !== '' && ofProcess(pid, 'cmdline').replaceAll('\0', ' ').includes(script)
}

function parentOf(pid) {
  // The name of the program, in brackets, may hold anything; then come the state and the parent.
  return ofProcess(pid, 'stat').split(')').at(-1)?.split(' ')[2]
}

/** Empty where the system does not tell, as it does on Linux. */
function ofProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

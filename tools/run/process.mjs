import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'

import { pinnedNode, root } from './dependencies.mjs'

/** Runs a program until it ends; true if it succeeded. */
export async function step(title, program, args, { folder = '.', env = {} } = {}) {
  console.log(`\n── ${title}`)
  return (await exitOf(start(program, args, { folder, env }))) === 0
}

/** Runs a program and prints its output when it has ended, so that programs may run side by side; true if it succeeded. */
export async function quietStep(title, program, args, { folder = '.', env = {} } = {}) {
  const child = start(program, args, { folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk))
  const code = await exitOf(child)
  console.log(`\n── ${title}`)
  process.stdout.write(Buffer.concat(printed))
  return code === 0
}

/**
 * Starts a program in this terminal, with the pinned Node and the installed tools first on its path. With `linked` it has
 * an IPC channel to this process and so notices if this process is killed.
 */
export function start(program, args, { folder = '.', env = {}, linked = false, stdio = 'inherit' } = {}) {
  const path = [dirname(pinnedNode), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return spawn(program, args, {
    cwd: join(root, folder),
    stdio: linked ? ['inherit', 'inherit', 'inherit', 'ipc'] : stdio,
    env: { ...process.env, ...env, PATH: path },
  })
}

/** The exit code of a program. A program that a signal ended or that did not start has failed. */
export async function exitOf(child) {
  return await new Promise((resolve) => {
    child.once('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.once('close', (code) => resolve(code ?? 1))
  })
}

const LOOK_MS = 500

/**
 * Stops the children with SIGTERM when this process gets a signal, or when npm or a parent with an IPC channel is gone. A
 * killed npm sends no signal, and otherwise npm signals only its shell.
 */
export function forwardSignals(children) {
  const stop = () => {
    for (const child of children) child.kill('SIGTERM')
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', stop)
  // The listener alone must not keep this process alive.
  process.channel?.unref()
  if (process.env.npm_lifecycle_event === undefined) return
  const npm = starters()
  const timer = setInterval(() => {
    if (starters() === npm) return
    clearInterval(timer)
    stop()
  }, LOOK_MS).unref()
}

/** The process ids of the parent and, if the parent is npm's shell, of npm. */
function starters() {
  const parent = process.ppid
  return `${parent} ${isShellOfNpm(parent) ? parentOf(parent) : ''}`
}

function isShellOfNpm(pid) {
  const script = process.env.npm_lifecycle_script ?? ''
  return script !== '' && ofProcess(pid, 'cmdline').replaceAll('\0', ' ').includes(script)
}

function parentOf(pid) {
  // The name of the program is in brackets and may contain anything. State and parent follow.
  return ofProcess(pid, 'stat').split(')').at(-1)?.split(' ')[2]
}

/** Empty on systems other than Linux. */
function ofProcess(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}

import { spawn } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import process from 'node:process'

import { pinnedNode } from './dependencies.mjs'
import { root } from './root.mjs'

/** Runs one program of the repository under the pinned Node until it ends; true if it ended well. */
export async function step(title, program, args, { folder = '.', env = {} } = {}) {
  console.log(`\n── ${title}`)
  return (await exitOf(start(program, args, { folder, env }))) === 0
}

/** Starts a program with the pinned Node and the installed tools first on its path; it shares this terminal. */
export function start(program, args, { folder = '.', env = {} } = {}) {
  const path = [dirname(pinnedNode), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return spawn(program, args, {
    cwd: join(root, folder),
    stdio: 'inherit',
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
 * Passes Ctrl+C and a request to stop on to the children, who then end in their own time. npm passes such a request to
 * the shell between it and this process alone: that the shell is gone is then the request.
 */
export function forwardSignals(children) {
  const shell = process.ppid
  if (process.env.npm_lifecycle_event !== undefined) {
    const timer = setInterval(() => {
      if (process.ppid === shell) return
      clearInterval(timer)
      for (const child of children) child.kill('SIGTERM')
    }, LOOK_MS).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      for (const child of children) child.kill(signal)
    })
  }
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

import { vi } from 'vitest'

import { runCommand } from '../cli/marquee.ts'
import { COMPILED } from './server-process.ts'

/** `npm test` tests the built commands; a single test needs no build of them. */
const ENTRY = join(import.meta.dirname, '../../..', process.env['MARQUEE_COMMAND'] ?? 'server/src/cli/marquee.ts')

export type Finished = { code: number | null; output: string }

/** Runs an operator's command in this process: `runMarquee` without a new process. */
export async function operate(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<Finished> {
  let output = ''
  const print = (text: string): void => {
    output += `${text}\n`
  }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(print),
    vi.spyOn(console, 'error').mockImplementation(print),
    // Progress.
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
      output += String(text)
      return true
    }),
  ]
  try {
    return { code: await runCommand(args, settings), output }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Runs an operator's command like `npm run marquee`; `killAt` kills it once that text is printed. */
export async function runMarquee(
  args: readonly string[],
  { settings, killAt }: { settings: Readonly<Record<string, string>>; killAt?: RegExp },
): Promise<Finished> {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { ...COMPILED, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      if (killAt?.test(output)) child.kill('SIGKILL')
    })
  }
  await once(child, 'close')
  return { code: child.exitCode, output }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { root } from './repository.ts'

const MODULE = pathToFileURL(join(root, 'tools/run/process.mjs')).href
/** Starts a child that tells when it is asked to end, as `npm start` starts the server. */
const PARENT = `
  import { spawn } from 'node:child_process'
  import { forwardSignals } from '${MODULE}'
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0) }); setInterval(() => {}, 1000); console.log('runs')"], { stdio: 'inherit' })
  forwardSignals([child])
`

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee npm '))
  const manifest = { name: 'started', private: true, scripts: { start: 'node parent.mjs' } }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'parent.mjs'), PARENT)
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Ends a process once what it started runs; gives all that is printed. */
async function printedWhenEnded(child: ChildProcess, signal: NodeJS.Signals): Promise<string> {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (text.includes('runs')) child.kill(signal)
  })
  await once(child, 'close')
  return printed
}

test.each(['SIGTERM', 'SIGKILL'] as const)('when npm gets %s, what it started is asked to end', async (signal) => {
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })

  expect(await printedWhenEnded(npm, signal)).toBe('runs\nasked to end\n')
})

test('when the process at the other end of the channel is killed, what this one started is asked to end', async () => {
  const link = `require('node:child_process').fork('parent.mjs')`
  const linked = spawn(process.execPath, ['-e', link], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })

  expect(await printedWhenEnded(linked, 'SIGKILL')).toBe('runs\nasked to end\n')
})

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
/** Starts a child that prints when it gets SIGTERM, as `npm start` starts the server. */
const PARENT = `
  import { spawn } from 'node:child_process'
  import { forwardSignals } from '${MODULE}'
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => { console.log('SIGTERM received'); process.exit(0) }); setInterval(() => {}, 1000); console.log('runs')"], { stdio: 'inherit' })
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

/** Ends a process once its child runs. Returns everything that is printed. */
async function printedWhenEnded(child: ChildProcess, signal: NodeJS.Signals): Promise<string> {
  let printed = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (text.includes('runs')) child.kill(signal)
  })
  await once(child, 'close')
  return printed
}

test.each(['SIGTERM', 'SIGKILL'] as const)('the child of npm gets SIGTERM when npm gets %s', async (signal) => {
  const npm = spawn('npm', ['start', '--silent'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })

  expect(await printedWhenEnded(npm, signal)).toBe('runs\nSIGTERM received\n')
})

test('a child gets SIGTERM when the parent with the IPC channel is killed', async () => {
  const link = `require('node:child_process').fork('parent.mjs')`
  const linked = spawn(process.execPath, ['-e', link], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })

  expect(await printedWhenEnded(linked, 'SIGKILL')).toBe('runs\nSIGTERM received\n')
})

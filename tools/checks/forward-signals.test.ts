import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'
import process from 'node:process'

import { expect, test } from 'vitest'

import { root } from './repository.ts'

const MODULE = pathToFileURL(join(root, 'tools/run/process.mjs')).href
/** Starts a child that tells when it is asked to end, as `npm start` starts the server. */
const PARENT = `
  import { spawn } from 'node:child_process'
  import { forwardSignals } from '${MODULE}'
  const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => { console.log('asked to end'); process.exit(0) }); setInterval(() => {}, 1000); console.log('runs')"], { stdio: 'inherit' })
  forwardSignals([child])
  child.once('exit', () => process.exit(0))
`

test('when npm ends the shell in between, what was started is asked to end', async () => {
  const env = { ...process.env, npm_lifecycle_event: 'start', PARENT, NODE: process.execPath }
  // The second command keeps the shell from becoming the first.
  const shell = spawn('sh', ['-c', '"$NODE" --input-type=module -e "$PARENT"; true'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  const runs = Promise.withResolvers<void>()
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    if (printed.includes('runs')) runs.resolve()
  })
  await runs.promise
  shell.kill('SIGTERM')
  await once(shell.stdout, 'close')

  expect(printed).toBe('runs\nasked to end\n')
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { LockTaken, takeProcessLock } from './process-lock.ts'

const MODULE = pathToFileURL(join(import.meta.dirname, 'process-lock.ts')).href
const NOW = new Date('2027-03-04T05:06:07.000Z')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'marquee-lock-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

function refusalOf(path: string): unknown {
  try {
    takeProcessLock(path, { purpose: 'the second', now: NOW })()
    return undefined
  } catch (error) {
    return error
  }
}

test('a second process is refused with the details of the first until the first releases the lock', () => {
  const path = join(folder, 'one')
  const giveBack = takeProcessLock(path, { purpose: 'the first', now: NOW })
  const refused = refusalOf(path)
  giveBack()

  expect(refused).toBeInstanceOf(LockTaken)
  expect(refused).toMatchObject({
    holder: { pid: process.pid, host: hostname(), since: '2027-03-04T05:06:07.000Z', purpose: 'the first' },
  })
  expect(refusalOf(path)).toBeUndefined()
})

test('a process that is killed leaves no lock behind', async () => {
  const path = join(folder, 'killed')
  const script = `
    const { takeProcessLock } = await import('${MODULE}')
    takeProcessLock(process.argv[1], { purpose: 'a server', now: new Date() })
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, path], { stdio: 'pipe' })
  await once(child.stdout, 'data')
  const meanwhile = refusalOf(path)
  child.kill('SIGKILL')
  await once(child, 'exit')

  expect(meanwhile).toMatchObject({ holder: { pid: child.pid, purpose: 'a server' } })
  expect(refusalOf(path)).toBeUndefined()
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import process from 'node:process'

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { read, root } from './repository.ts'

type Manifest = { dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
type Lock = { packages: Record<string, { dev?: true; devOptional?: true }> }

const manifest = (workspace: string): Manifest => JSON.parse(read(`${workspace}/package.json`)) as Manifest

test('the web app has no production dependencies, because the server only serves its build', () => {
  expect(manifest('web').dependencies).toBeUndefined()
})

test('the workspaces that npm start installs have no test tools', () => {
  const dev = ['contract', 'platform', 'identity', 'server'].flatMap((name) =>
    Object.keys(manifest(name).devDependencies ?? {}),
  )
  const testTools = /testing|test|jsdom|playwright|vitest|postgres|fast-check/u

  expect(dev).toEqual(['node', 'rolldown'])
  expect(Object.keys(manifest('web').devDependencies ?? {}).filter((name) => testTools.test(name))).toEqual([])
})

test('a production install has the packages of the server and none of the browser', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock
  const installed = Object.entries(packages)
    .filter(([, { dev, devOptional }]) => dev === undefined && devOptional === undefined)
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))

  expect(installed).toContain('fastify')
  expect(
    installed.filter((name) => /^(?:react|react-dom|aws-amplify|lucide-react|vite|typescript)$/u.test(name)),
  ).toEqual([])
})

describe('commands in a fresh clone', () => {
  /** Installs after half a second, and writes down when it begins and ends. */
  const NPM = `#!${process.execPath}
    const fs = require('node:fs')
    fs.appendFileSync('log', 'begin ')
    fs.rmSync('node_modules', { recursive: true, force: true })
    setTimeout(() => {
      fs.mkdirSync('node_modules/node/bin', { recursive: true })
      fs.writeFileSync('node_modules/node/bin/node', '')
      fs.appendFileSync('log', 'end ')
    }, 500)`
  let clone: string

  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), 'marquee-clone-'))
    await cp(join(root, 'tools/run/dependencies.mjs'), join(clone, 'tools/run/dependencies.mjs'))
    await mkdir(join(clone, '.cache'))
    await writeFile(join(clone, 'package.json'), '{"workspaces":[]}')
    await writeFile(join(clone, 'package-lock.json'), '{}')
    await writeFile(join(clone, 'npm'), NPM, { mode: 0o755 })
  })
  beforeEach(async () => {
    await rm(join(clone, 'node_modules'), { recursive: true, force: true })
    await writeFile(join(clone, 'log'), '')
  })
  afterAll(async () => {
    await rm(clone, { recursive: true })
  })

  const log = async () => await readFile(join(clone, 'log'), 'utf8')
  function command() {
    const script = "await (await import('./tools/run/dependencies.mjs')).ensureDependencies('all')"
    return spawn(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: clone,
      env: { PATH: [clone, process.env['PATH']].join(delimiter) },
      stdio: 'ignore',
    })
  }

  test('three concurrent commands install only once', async () => {
    const commands = [command(), command(), command()]
    await Promise.all(commands.map(async (child) => void (await once(child, 'exit'))))

    expect(commands.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0])
    expect(await log()).toBe('begin end ')
  })

  test('a command waits for the npm of a killed command and then installs again', async () => {
    const killed = command()
    await vi.waitFor(async () => expect(await log()).toBe('begin '), { timeout: 30_000, interval: 20 })
    killed.kill('SIGKILL')
    const [code] = (await once(command(), 'exit')) as unknown[]

    expect(code).toBe(0)
    expect(await log()).toBe('begin end begin end ')
  })

  test('the lock of a killed process is taken over', async () => {
    const dead = command()
    dead.kill('SIGKILL')
    await once(dead, 'exit')
    await writeFile(join(clone, '.cache/installing'), String(dead.pid))
    const [code] = (await once(command(), 'exit')) as unknown[]

    expect(code).toBe(0)
    expect(await log()).toBe('begin end ')
  })
})

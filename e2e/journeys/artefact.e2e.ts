import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from '../support/journey.ts'
import { startServer } from '../support/server.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'marquee-artefact-'))
const artefact = join(folder, 'artefact')
const program = join(artefact, 'marquee.mjs')

test.afterAll(() => {
  chmodSync(artefact, 0o700)
  rmSync(folder, { recursive: true })
})

test('the built artefact runs on a copy of the data, and writes nothing to its own folder', async ({ page }) => {
  execFileSync(process.execPath, ['tools/release/lay-out.mjs', artefact], { cwd: root })
  chmodSync(artefact, 0o500)
  const before = readdirSync(artefact, { recursive: true })
  const settings = { DATA_DIR: join(folder, 'data') }
  const clone = await startServer('embedded', settings)
  expect(clone.output()).toContain('No one has an account yet.')
  const command = [program, 'users', 'create', 'ana', 'ana@example.org']
  const env = { PATH: process.env['PATH'], XDG_CACHE_HOME: folder, ...clone.settings() }

  // A command of the artefact beside the server of the clone.
  expect(execFileSync(process.execPath, command, { env, encoding: 'utf8' })).toContain('ana@example.org')
  await clone.stop({ keepsData: true })
  const server = await startServer('embedded', { ...settings, XDG_CACHE_HOME: folder }, program)
  try {
    expect(server.output()).not.toContain('No one has an account yet.')
    await page.goto(server.url)
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
  } finally {
    await server.stop({ keepsData: true })
  }

  expect(readdirSync(artefact, { recursive: true })).toEqual(before)
  expect(
    execFileSync(process.execPath, ['--input-type=module', '--eval', "await import('sharp')"], {
      cwd: join(artefact, 'server'),
    }).length,
  ).toBe(0)
})

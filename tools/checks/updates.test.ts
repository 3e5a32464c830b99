import { basename, dirname } from 'node:path'

import { expect, test } from 'vitest'
import { parse } from 'yaml'

import { read, repositoryFiles } from './repository.ts'

type Update = {
  'package-ecosystem': string
  directory?: string
  directories?: string[]
  schedule: { interval: string }
}

const DAYS: Record<string, number> = { daily: 1, weekly: 7, monthly: 31 }

const { updates } = parse(read('.github/dependabot.yml')) as { updates: Update[] }
const rows = read('SECURITY.md').matchAll(/^\| (critical|high|any other|none) +\| (\d+) days +\|/gmu)
const limits = Object.fromEntries([...rows].map(([, advisory = '', days]) => [advisory, Number(days)]))

// Evidence: asvs-15.1.1
test('the security policy has a limit for each severity of an advisory, and for updates without one', () => {
  expect(limits).toEqual({ critical: 3, high: 7, 'any other': 30, none: 30 })
})

// Evidence: asvs-15.2.1
test('the interval of Dependabot is shorter than the limit for routine updates', () => {
  const late = updates.filter(({ schedule }) => !((DAYS[schedule.interval] ?? Infinity) < (limits['none'] ?? 0)))

  expect(updates.length).toBeGreaterThan(0)
  expect(late).toEqual([])
})

// Evidence: asvs-15.2.1
test('Dependabot watches every lockfile, the workflows and the image', () => {
  const watched = updates.flatMap(({ directory, directories = [], ...update }) =>
    [...directories, ...(directory === undefined ? [] : [directory])].map(
      (folder) => `${update['package-ecosystem']} ${folder}`,
    ),
  )
  const lockfiles = repositoryFiles().filter((path) => basename(path) === 'package-lock.json')
  const folders = lockfiles.map((path) => `npm /${dirname(path)}`.replace('/.', '/'))

  expect(watched.toSorted()).toEqual([...folders, 'github-actions /', 'docker /'].toSorted())
})

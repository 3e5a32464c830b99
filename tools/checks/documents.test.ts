import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, test } from 'vitest'

import { read, repositoryFiles, root } from './repository.ts'

const documents = repositoryFiles().filter((path) => path.endsWith('.md'))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test('every link in a document leads to a file that is there', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/gu)]
      .map(([, target]) => target ?? '')
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  )

  expect(broken).toEqual([])
})

test('every command a document names is a script', () => {
  const unknown = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/gu)]
      .map(([, named, builtIn]) => named ?? builtIn ?? '')
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${document}: ${name}`),
  )

  expect(unknown).toEqual([])
})

test('every source file a document names is there', () => {
  const folders = /`((?:contract|platform|identity|server|web|e2e|tools|docs)\/[\w./-]+)`/gu
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(folders)]
      .map(([, path]) => path ?? '')
      .filter((path) => !existsSync(join(root, path)) && !path.startsWith('web/dist'))
      .map((path) => `${document}: ${path}`),
  )

  expect(missing).toEqual([])
})

test('decisions are numbered one by one', () => {
  const numbers = repositoryFiles()
    .filter((path) => path.startsWith('docs/decisions/'))
    .map((path) => Number(/(\d{4})-[a-z0-9-]+\.md$/u.exec(path)?.[1]))
    .toSorted((one, other) => one - other)

  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

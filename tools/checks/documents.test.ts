import { existsSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

import GithubSlugger from 'github-slugger'
import { expect, test } from 'vitest'

import journeys from '../../e2e/playwright.config.ts'
import { read, repositoryFiles, root } from './repository.ts'
import { sources } from './syntax.ts'

const files = repositoryFiles()
const documents = files.filter((path) => path.endsWith('.md'))
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

const OUTSIDE =
  /\b(?:the |our )?(?:spec(?:ification)?|design)\b,? (?:sections? )?\d[\d.]*|\bthe spec\b|(?<!RFC \d+,? )\bsections? \d[\d.]*/giu
/** A name with a capital inside, such as a function. */
const NAMED_CODE = /`([a-z]\w*[A-Z]\w*)`/gu
/** Names that belong to tools of others. */
const FOREIGN_NAMES = new Set(['fsGroup'])
const NAMED_FILE = /(?<![\w./@-])(?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|md)\b/gu

test('every relative link in a document resolves, with its anchor', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/gu)]
      .map(([, target]) => target ?? '')
      .filter((target) => !resolves(target.startsWith('#') ? `${document}${target}` : besides(document, target)))
      .map((target) => `${document}: ${target}`),
  )

  expect(broken).toEqual([])
})

test('every document that a source file names exists, with its anchor', () => {
  const sources = files.filter((path) => /\.(?:[jt]sx?|mjs|ya?ml|conf|sh)$|Dockerfile$/u.test(path))
  const broken = sources.flatMap((source) =>
    [...read(source).matchAll(/\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/gu)]
      .map(([target]) => target)
      .filter((target) => !resolves(target))
      .map((target) => `${source}: ${target}`),
  )

  expect(broken).toEqual([])
})

test('each picture is used in a document, and all pictures together are small', () => {
  const pictures = files.filter((path) => /^docs\/.*\.(?:png|webp|jpe?g|gif)$/u.test(path))
  const shown = new Set(
    documents.flatMap((document) =>
      [...read(document).matchAll(/!\[[^\]]*\]\(([^)\s]+)\)/gu)].map(([, target = '']) => besides(document, target)),
    ),
  )

  expect(pictures.filter((path) => !shown.has(path))).toEqual([])
  expect(pictures.reduce((sum, path) => sum + statSync(join(root, path)).size, 0)).toBeLessThan(200_000)
})

test('every command that a document names is a script', () => {
  const unknown = documents.flatMap((document) =>
    [...read(document).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/gu)]
      .map(([, named, builtIn]) => named ?? builtIn ?? '')
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${document}: ${name}`),
  )

  expect(unknown).toEqual([])
})

test('every source file that a document names exists', () => {
  const folders = /`((?:contract|platform|identity|server|web|e2e|tools|docs)\/[\w./-]+)`/gu
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(folders)]
      .map(([, path]) => path ?? '')
      .filter((path) => !existsSync(join(root, path)) && !/^(?:server|web)\/dist\b/u.test(path))
      .map((path) => `${document}: ${path}`),
  )

  expect(missing).toEqual([])
})

test('a short file name in CONTRIBUTING.md is in a folder that its section names', () => {
  const missing = read('CONTRIBUTING.md')
    .split(/^##+ /mu)
    .flatMap((section) => {
      const named = [...section.matchAll(/`((?:[\w-]+\/)*[\w.-]*)`/gu)].map(([, name = '']) => name)
      const folders = named.flatMap((name) => {
        const parts = name.split('/')
        return parts.map((_part, index) => parts.slice(0, index + 1).join('/'))
      })
      return named
        .filter((name) => /\.(?:tsx?|json)$/u.test(name))
        .filter((name) => !['', ...folders].some((folder) => existsSync(join(root, folder, name))))
    })

  expect(missing).toEqual([])
})

test('every function or field that a document names is in a source file', () => {
  const sourceFiles = files.filter((path) => /\.(?:[jt]sx?|mjs|json|ya?ml)$/u.test(path))
  const known = new Set(sourceFiles.flatMap((path) => read(path).match(/\w+/gu) ?? []))
  const unknown = documents.flatMap((document) =>
    [...read(document).matchAll(NAMED_CODE)]
      .map(([, name]) => name ?? '')
      .filter((name) => !known.has(name) && !FOREIGN_NAMES.has(name))
      .map((name) => `${document}: ${name}`),
  )

  expect(unknown).toEqual([])
})

test('CONTRIBUTING.md has a row for each Playwright project', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| `([\w-]+)` +\|/gmu)].map(([, name]) => name)

  expect(rows).toEqual(expect.arrayContaining((journeys.projects ?? []).map(({ name }) => name)))
})

test('CONTRIBUTING.md names every check, and only lint rules that are on', () => {
  const [, table = ''] = read('CONTRIBUTING.md').split('## Rules and their checks')
  const checks = files.filter((path) => /^tools\/checks\/.*\.test\.ts$/u.test(path))
  const lint = read('.oxlintrc.json')
  const rules = [...table.matchAll(/oxlint \(`([\w-]+)`\)/gu)].map(([, rule]) => rule ?? '')

  expect(checks.filter((path) => !table.includes(`\`${path}\``))).toEqual([])
  expect(rules.length).toBeGreaterThan(0)
  expect(rules.filter((rule) => !new RegExp(`["/]${rule}"`, 'u').test(lint))).toEqual([])
})

test('comments cite nothing outside the repository, and name only files that exist', () => {
  const names = new Set(files.map((path) => posix.basename(path)))
  const findings = sources().flatMap(({ path, comments }) =>
    comments.flatMap((comment) => {
      const outside = comment.match(OUTSIDE) ?? []
      const missing = (comment.match(NAMED_FILE) ?? []).filter((file) =>
        file.includes('/') ? !isKnown(file) : !names.has(file),
      )
      return [...outside, ...missing].map((text) => `${path}: ${text}`)
    }),
  )

  expect(findings).toEqual([])
})

/** A path counts from the root, or as the end of another path. */
function isKnown(file: string): boolean {
  return files.some((path) => path === file || path.endsWith(`/${file.replace(/^(?:\.\.?\/)+/u, '')}`))
}

function besides(document: string, target: string): string {
  return posix.join(posix.dirname(document), target)
}

function resolves(target: string): boolean {
  const [path = '', anchor] = target.split('#')
  return existsSync(join(root, path)) && (anchor === undefined || anchorsOf(path).has(anchor))
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(document: string): Set<string> {
  const slugger = new GithubSlugger()
  const text = read(document).replaceAll(/^```[\s\S]*?^```/gmu, '')
  const headings = [...text.matchAll(/^#{1,6} +(.+)$/gmu)].map(([, heading = '']) => heading)
  // A heading's links and code count by their text.
  return new Set(headings.map((heading) => slugger.slug(heading.replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/gu, '$1'))))
}

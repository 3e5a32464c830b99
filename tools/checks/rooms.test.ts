import { posix } from 'node:path'

import { expect, test } from 'vitest'

import { read } from './repository.ts'
import { importsOf, sources } from './syntax.ts'

const ROOMS = ['club', 'movies', 'draws', 'nights', 'news']
const FOLDER = /^server\/src\/rooms\/(?<room>[\w-]+)(?:\/(?<noun>[\w-]+)(?:\/[\w-]+)?)?$/u
const MAP = /(?<=<!-- map: .* -->\n)[\s\S]*(?=<!-- end of the map -->)/u

/** The noun of a file; the room `draws` is one noun. */
function nounOf(path: string): { room: string; noun: string } | undefined {
  const { room, noun = room } = FOLDER.exec(posix.dirname(path))?.groups ?? {}
  return room === undefined || noun === undefined ? undefined : { room, noun }
}

/** Each noun with the nouns that its files import, tests aside. */
function nouns(): Map<string, { room: string; uses: Set<string> }> {
  const found = new Map<string, { room: string; uses: Set<string> }>()
  for (const source of sources().filter(({ path }) => !path.includes('.test.'))) {
    const from = nounOf(source.path)
    if (from === undefined) continue
    const { uses } = found.get(from.noun) ?? { uses: new Set<string>() }
    for (const to of importsOf(source).flatMap((path) => nounOf(path) ?? []))
      if (to.noun !== from.noun) uses.add(to.noun)
    found.set(from.noun, { room: from.room, uses })
  }
  return found
}

function mapOf(all: ReturnType<typeof nouns>): string {
  const rows = ROOMS.flatMap((room) =>
    [...all]
      .filter(([, { room: its }]) => its === room)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([noun, { uses }]) => [room, `\`${noun}\``, [...uses].toSorted().join(', ') || '–']),
  )
  const widths = [0, 1, 2].map((column) => Math.max(4, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return ['', line(['room', 'noun', 'uses']), rule, ...rows.map(line), '', ''].join('\n')
}

// `npx vitest run --project checks -u` draws it again.
test('the map of nouns in docs/architecture.md is current', async () => {
  const page = read('docs/architecture.md')
  expect(MAP.test(page)).toBe(true)
  await expect(page.replace(MAP, mapOf(nouns()))).toMatchFileSnapshot('../../docs/architecture.md')
})

test('a room uses only the rooms before it', () => {
  const all = nouns()
  const upwards = [...all].flatMap(([noun, { room, uses }]) =>
    [...uses]
      .filter((used) => ROOMS.indexOf(all.get(used)?.room ?? '') > ROOMS.indexOf(room))
      .map((used) => `${noun}: ${used}`),
  )

  expect([...all.keys()]).toContain('watchlists')
  expect(upwards).toEqual([])
})

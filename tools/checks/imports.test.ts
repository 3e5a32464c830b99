import { posix } from 'node:path'

import { expect, test } from 'vitest'

import { importsOf, sources } from './syntax.ts'

test('no files import each other in a cycle, types included', () => {
  const graph = new Map(sources().map((source) => [source.path, importsOf(source)]))

  expect(graph.get('server/src/app.ts')).toContain('server/src/api.ts')
  expect(cycles(graph)).toEqual([])
})

test('no folders import each other in a cycle, types included', () => {
  const graph = new Map<string, Set<string>>()
  for (const source of sources().filter(({ path }) => /\/src\//u.test(path) && !isForTests(path))) {
    const folder = posix.dirname(source.path)
    const others = importsOf(source)
      .filter((path) => !isForTests(path))
      .map((path) => posix.dirname(path))
    graph.set(folder, new Set([...(graph.get(folder) ?? []), ...others.filter((other) => other !== folder)]))
  }

  expect(graph.get('server/src')).toContain('server/src/rooms/movies/cards')
  expect(cycles(new Map([...graph].map(([folder, others]) => [folder, [...others]])))).toEqual([])
})

function isForTests(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//u.test(path)
}

/** The groups of files or folders that reach each other, found with Tarjan's algorithm. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const path: string[] = []

  function enter(file: string): void {
    order.set(file, order.size)
    let low = order.get(file) ?? 0
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) enter(next)
      if (path.includes(next)) low = Math.min(low, lowest.get(next) ?? order.get(next) ?? low)
    }
    lowest.set(file, low)
    if (low !== order.get(file)) return
    const group = path.splice(path.indexOf(file))
    if (group.length > 1) found.push(group)
  }

  for (const file of graph.keys()) if (!order.has(file)) enter(file)
  return found
}

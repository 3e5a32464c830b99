import { expect, test } from 'vitest'

import { importsOf, sources } from './syntax.ts'

test('no files import each other in a circle, types included', () => {
  const graph = new Map(sources().map((source) => [source.path, importsOf(source)]))

  expect(graph.get('server/src/main.ts')).toContain('server/src/app.ts')
  expect(cycles(graph)).toEqual([])
})

/** The groups of files that reach each other, found with Tarjan's algorithm. */
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

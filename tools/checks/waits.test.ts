import { expect, test } from 'vitest'

import { type Source, sources, visit } from './syntax.ts'

/** Waits for a state that use the limit of Vitest, which is one second. */
function impatient(source: Source): number {
  let found = 0
  visit(source, {
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.object.type !== 'Identifier' || callee.object.name !== 'vi') return
      if (['waitFor', 'waitUntil'].includes(callee.property.name) && given.length < 2) found += 1
    },
  })
  return found
}

test('every wait of a unit test has a limit of its own, because one second is short on a slow machine', () => {
  const places = sources().filter((source) => /\.test\.tsx?$|\/testing\//u.test(source.path) && impatient(source) > 0)
  expect(places.map(({ path }) => path)).toEqual([])
})

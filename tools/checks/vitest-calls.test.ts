import { expect, test } from 'vitest'

import { type Source, sources, visit } from './syntax.ts'

/** The calls of `vi` in a file: their names, and with how many arguments. */
function callsOfVi(source: Source): { name: string; count: number }[] {
  const found: { name: string; count: number }[] = []
  visit(source, {
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.object.type !== 'Identifier' || callee.object.name !== 'vi') return
      found.push({ name: callee.property.name, count: given.length })
    },
  })
  return found
}

function filesWith(isWrong: (call: { name: string; count: number }) => boolean): string[] {
  const ofTests = sources().filter(({ path }) => /\.test\.tsx?$|\/testing\//u.test(path))
  return ofTests.filter((source) => callsOfVi(source).some(isWrong)).map(({ path }) => path)
}

test('every wait of a unit test has its own limit, because one second is short on a slow machine', () => {
  expect(filesWith(({ name, count }) => ['waitFor', 'waitUntil'].includes(name) && count < 2)).toEqual([])
})

test('unit tests do not call vi.mock, because the files of a worker share modules that are loaded already', () => {
  expect(filesWith(({ name }) => name === 'mock')).toEqual([])
})

import { expect, test } from 'vitest'

import { pageOf, placeOf } from './page.ts'

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
const idOf = ({ id }: { id: string }): string => id

test('a page has a token after its last row only if another row follows', () => {
  expect(pageOf(rows, 2, idOf)).toEqual({ shown: [{ id: 'a' }, { id: 'b' }], nextToken: 'b' })
  expect(pageOf(rows, 3, idOf)).toEqual({ shown: rows, nextToken: null })
  expect(pageOf([], 3, idOf)).toEqual({ shown: [], nextToken: null })
})

test('no token means the first page, and an unreadable token is rejected', () => {
  const read = (token: string) => (token === 'b' ? 2 : undefined)

  expect(placeOf(undefined, read)).toBeUndefined()
  expect(placeOf('b', read)).toBe(2)
  expect(() => placeOf('x', read)).toThrow('nextToken: this is not a token of an earlier page')
})

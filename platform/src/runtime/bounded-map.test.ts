import { expect, test } from 'vitest'

import { boundedMap } from './bounded-map.ts'

test('a full map drops the oldest entry', () => {
  const map = boundedMap<number>(2)

  map.set('a', 1)
  map.set('b', 2)
  map.set('a', 3)
  map.set('c', 4)

  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([3, undefined, 4])
})

test('a deleted entry is gone', () => {
  const map = boundedMap<number>(2)
  map.set('a', 1)

  map.delete('a')

  expect(map.get('a')).toBeUndefined()
})

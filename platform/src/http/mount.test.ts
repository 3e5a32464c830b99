import { expect, test } from 'vitest'

import { handlersOf } from './mount.ts'

test('handlers of several nouns are joined, and two for the same call are refused', () => {
  const [list, add, remove] = [() => 'list', () => 'add', () => 'remove']

  expect(handlersOf({ list }, { add, remove })).toEqual({ list, add, remove })
  expect(() => handlersOf({ list, add }, { remove, add })).toThrow('Two handlers for add')
})

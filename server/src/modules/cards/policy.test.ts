import { expect, test } from 'vitest'

import { mayChange, mayKnowOf } from './policy.ts'

test.each([
  { isCreator: true, isInTheBox: true, knows: true },
  { isCreator: true, isInTheBox: false, knows: true },
  { isCreator: false, isInTheBox: true, knows: false },
  { isCreator: false, isInTheBox: false, knows: true },
])('whether somebody may know of a card: %j', ({ knows, ...standing }) => {
  expect(mayKnowOf(standing)).toBe(knows)
})

test.each([
  { isCreator: true, isOwner: true, may: true },
  { isCreator: true, isOwner: false, may: true },
  { isCreator: false, isOwner: true, may: true },
  { isCreator: false, isOwner: false, may: false },
])('whether somebody may change a card they know of: %j', ({ may, ...standing }) => {
  expect(mayChange(standing)).toBe(may)
})

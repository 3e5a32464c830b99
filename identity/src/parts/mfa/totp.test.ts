import { expect, test } from 'vitest'

import { matchingStep } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

// RFC 6238, appendix B, SHA-1; the last six of its eight digits.
test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('the code of RFC 6238 at second %i is %s', (second, code, step) => {
  expect(matchingStep(SECRET, code, new Date(second * 1000))).toBe(step)
})

test('a code is valid from one step before to one step after its own', () => {
  const steps = [998, 999, 1000, 1001, 1002].map((now) => matchingStep(SECRET, '450130', new Date(now * 30_000)))

  expect(steps).toEqual([undefined, 1000, 1000, 1000, undefined])
})

test.each(['', '28708', '2870820', ' 287082', 'abcdef', '２８７０８２'])(
  'the malformed code %j is rejected',
  (text) => {
    expect(matchingStep(SECRET, text, new Date(59_000))).toBeUndefined()
  },
)

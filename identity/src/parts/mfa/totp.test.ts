import { expect, test } from 'vitest'

import { base32, matchingStep, stepAt, totpCode } from './totp.ts'

// RFC 6238, appendix B, SHA-1; the last six of its eight digits.
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code of RFC 6238 is %s', (second, code) => {
  expect(totpCode(Buffer.from('12345678901234567890'), stepAt(new Date(second * 1000)))).toBe(code)
})

test('a code is valid one step before and after its own', () => {
  const secret = Buffer.from('12345678901234567890')
  const code = totpCode(secret, 1000)

  expect([998, 999, 1000, 1001, 1002].map((now) => matchingStep(secret, code, now))).toEqual([
    undefined,
    1000,
    1000,
    1000,
    undefined,
  ])
})

// RFC 4648, section 10, without the padding.
test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j is %j', (text, encoded) => {
  expect(base32(Buffer.from(text))).toBe(encoded)
})

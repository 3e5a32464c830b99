import { expect, test } from 'vitest'

import { systemRandom } from '@marquee/platform/runtime/random'

import { inviteeIdOf, newToken } from './token.ts'

test('a token has 256 random bits followed by the id of the invitee', () => {
  const ben = '7f3c1f0e-2b59-4d0a-9a52-0c7a3c1f9e11'

  const [token, other] = [newToken(systemRandom, ben), newToken(systemRandom, ben)]

  expect(Buffer.from(token, 'base64url')).toHaveLength(48)
  expect(Buffer.from(token, 'base64url').subarray(0, 32)).not.toEqual(Buffer.from(other, 'base64url').subarray(0, 32))
  expect(inviteeIdOf(token)).toBe(ben)
})

test.each(['a subject of another kind', '7F3C1F0E-2B59-4D0A-9A52-0C7A3C1F9E11', ''])(
  'a token leaves out the user id %j, which is not a lower-case UUID',
  (userId) => {
    const token = newToken(systemRandom, userId)

    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    expect(inviteeIdOf(token)).toBeUndefined()
  },
)

test.each(['', 'x', 'x'.repeat(128), '%00/../'])('the token %j names no invitee', (token) => {
  expect(inviteeIdOf(token)).toBeUndefined()
})

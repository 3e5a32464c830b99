import { expect, test } from 'vitest'

import { writeCursor as writeFeedCursor } from '../cards/card/cursor.ts'
import { readCursor, writeCursor } from './cursor.ts'

test('reading a page token returns the id of its comment', () => {
  expect(readCursor(writeCursor('0198c0de-0000-7000-8000-000000000001'))).toBe('0198c0de-0000-7000-8000-000000000001')
})

test.each([
  'x',
  '',
  Buffer.from('comment ').toString('base64url'),
  Buffer.from('comment a b').toString('base64url'),
  `${writeCursor('a')}=`,
  writeFeedCursor({ statusChangedAt: '2026-01-01T00:00:00.000Z', id: 'a' }),
])('the token %j is rejected', (token) => {
  expect(() => readCursor(token)).toThrow('nextToken: this is not a token of an earlier page')
})

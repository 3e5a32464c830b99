import { expect, test } from 'vitest'

import { readCursor, writeCursor } from './cursor.ts'

test('reading a written cursor returns the same place', () => {
  const place = { statusChangedAt: '2026-05-01T20:15:00.123Z', id: '01890a5d-ac96-774b-bcce-b302099a8057' }

  expect(readCursor(writeCursor(place))).toEqual(place)
})

test.each([
  'nonsense',
  '',
  ' ',
  Buffer.from('2026-05-01T20:15:00.123Z').toString('base64url'),
  Buffer.from('2026-05-01T20:15:00Z some-id').toString('base64url'),
  Buffer.from("2026-05-01T20:15:00.123Z ' or 1=1").toString('base64url'),
  `${Buffer.from('2026-05-01T20:15:00.123Z some-id').toString('base64url')}=`,
])('the token %j is rejected', (token) => {
  expect(() => readCursor(token)).toThrow('nextToken')
})

import { expect, test } from 'vitest'

import { localTimeOf, readTimes } from './times.ts'

const now = '2026-11-22T12:00:00.000Z'
const read = (times: string[], timeZone = 'Europe/Berlin') => readTimes({ times, timeZone }, { now })

test.each([
  ['winter', '2026-11-27T20:00', '2026-11-27T19:00:00.000Z'],
  ['summer', '2027-07-02T20:00', '2027-07-02T18:00:00.000Z'],
  ['the day before the clock goes forward', '2027-03-27T20:00', '2027-03-27T19:00:00.000Z'],
  ['the day the clock goes forward', '2027-03-28T20:00', '2027-03-28T18:00:00.000Z'],
  ['the day before the clock goes back', '2027-10-30T20:00', '2027-10-30T18:00:00.000Z'],
  ['the day the clock goes back', '2027-10-31T20:00', '2027-10-31T19:00:00.000Z'],
])('the local time of %s is converted to the right instant and back', (_when, local, instant) => {
  expect(read([local])).toEqual([instant])
  expect(localTimeOf(instant, 'Europe/Berlin')).toBe(local)
})

test('a time that the clock skips is moved an hour later', () => {
  const [instant = ''] = read(['2027-03-28T02:30'])

  expect(localTimeOf(instant, 'Europe/Berlin')).toBe('2027-03-28T03:30')
})

test('a time that the clock shows twice means the first of the two', () => {
  expect(read(['2027-10-31T02:30'])).toEqual(['2027-10-31T00:30:00.000Z'])
})

test('the times of a night are sorted', () => {
  expect(read(['2026-12-02T20:00', '2026-12-01T20:00'], 'America/New_York')).toEqual([
    '2026-12-02T01:00:00.000Z',
    '2026-12-03T01:00:00.000Z',
  ])
})

test.each([
  ['an unknown time zone', ['2026-12-01T20:00'], 'Europe/Atlantis', 'timeZone: This is not a time zone'],
  ['an offset as a time zone', ['2026-12-01T20:00'], '+02:00', 'timeZone: This is not a time zone'],
  ['a date that does not exist', ['2027-02-30T20:00'], 'UTC', 'times: There is no such date or time'],
  ['a time in the past', ['2026-11-22T11:59'], 'UTC', 'times: This time is in the past'],
  ['a time more than 100 years ahead', ['2126-11-22T12:01'], 'UTC', 'times: This time is too far ahead'],
  ['the same time twice', ['2026-12-01T20:00', '2026-12-01T20:00'], 'UTC', 'times: Two of the times are the same'],
])('a plan with %s is rejected', (_what, times, timeZone, message) => {
  expect(() => read(times, timeZone)).toThrow(message)
})

test('a time that the night already has may be in the past', () => {
  const known = ['2026-11-22T11:00:00.000Z']

  expect(readTimes({ times: ['2026-11-22T11:00'], timeZone: 'UTC' }, { now, known })).toEqual(known)
})

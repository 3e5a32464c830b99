import { describe, expect, test } from 'vitest'

import { afterQuietHours, nextDailyMail } from './delivery-times.ts'

const BERLIN = 'Europe/Berlin'

describe('quiet hours', () => {
  // In Berlin, the clock goes from 2:00 to 3:00 on 29 March 2026, and from 3:00 back to 2:00 on 25 October 2026.
  test.each([
    ['the minute before they begin', BERLIN, '22:00', '07:00', '2026-01-10T20:59:00Z', '2026-01-10T20:59:00Z'],
    ['the minute in which they begin', BERLIN, '22:00', '07:00', '2026-01-10T21:00:00Z', '2026-01-11T06:00:00Z'],
    ['after midnight', BERLIN, '22:00', '07:00', '2026-01-11T02:00:00Z', '2026-01-11T06:00:00Z'],
    ['the minute in which they end', BERLIN, '22:00', '07:00', '2026-01-11T06:00:00Z', '2026-01-11T06:00:00Z'],
    ['within one day', BERLIN, '13:00', '15:00', '2026-07-01T12:00:00Z', '2026-07-01T13:00:00Z'],
    ['the night that is an hour shorter', BERLIN, '22:00', '07:00', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
    ['the night that is an hour longer', BERLIN, '22:00', '07:00', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
    ['an end that the clock skips', BERLIN, '22:00', '02:30', '2026-03-28T22:00:00Z', '2026-03-29T01:00:00Z'],
    ['after the end that the clock skipped', BERLIN, '22:00', '02:30', '2026-03-29T01:10:00Z', '2026-03-29T01:10:00Z'],
    ['an end that the clock shows twice', BERLIN, '22:00', '02:30', '2026-10-24T21:00:00Z', '2026-10-25T01:30:00Z'],
    ['the hour that comes again', BERLIN, '22:00', '02:30', '2026-10-25T01:10:00Z', '2026-10-25T01:30:00Z'],
    ['without a time zone', null, '22:00', '07:00', '2026-01-10T23:00:00Z', '2026-01-11T07:00:00Z'],
  ])('the time of a delivery respects quiet hours: %s', (_, timeZone, from, until, time, expected) => {
    expect(afterQuietHours({ timeZone, quietHours: { from, until } }, new Date(time))).toEqual(new Date(expected))
  })

  test('a delivery does not wait without quiet hours', () => {
    const time = new Date('2026-01-10T23:00:00Z')

    expect(afterQuietHours({ timeZone: BERLIN, quietHours: null }, time)).toEqual(time)
  })
})

test.each([
  [BERLIN, '2026-01-10T06:59:59Z', '2026-01-10T07:00:00Z'],
  [BERLIN, '2026-01-10T07:00:00Z', '2026-01-11T07:00:00Z'],
  [BERLIN, '2026-03-28T12:00:00Z', '2026-03-29T06:00:00Z'],
  [BERLIN, '2026-10-24T12:00:00Z', '2026-10-25T07:00:00Z'],
  ['Asia/Kolkata', '2026-01-10T12:00:00Z', '2026-01-11T02:30:00Z'],
  [null, '2026-01-10T12:00:00Z', '2026-01-11T08:00:00Z'],
])('the next daily mail in %s after %s is sent at %s', (timeZone, time, expected) => {
  expect(nextDailyMail({ timeZone }, new Date(time))).toEqual(new Date(expected))
})

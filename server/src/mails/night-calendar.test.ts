import ICAL from 'ical.js'
import { expect, test } from 'vitest'

import type { Night } from '@marquee/contract/entities/night'

import { aPlannedNight } from '../testing/make.ts'
import { nightCalendars } from './night-calendar.ts'

const calendarText = nightCalendars('https://films.example.org')

const ID = '9c1f5e2a-7d34-4b8e-a1c6-3f2b8d90e7a5_019aa0c4-6d5e-7c1a-9a54-0f7a3f0f0b22'

const aNight = (startsAt: string, texts: Partial<Night> = {}) =>
  aPlannedNight({
    id: ID,
    watchlistId: '9c1f5e2a-7d34-4b8e-a1c6-3f2b8d90e7a5',
    times: [{ startsAt, localTime: '2027-03-27T20:00', answers: [] }],
    ...texts,
  })

function parse(night: Night, method?: 'PUBLISH' | 'CANCEL', watchlistName = 'Friday films') {
  const entries = [{ night, revision: 4, updatedAt: '2026-11-21T18:34:15.000Z' }]
  const text = calendarText({ language: undefined, watchlistName, entries, method })
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const components = calendar.getAllSubcomponents('vevent')
  const [component] = components
  if (!component) throw new Error('There is no entry')
  return { text, calendar, component, components, event: new ICAL.Event(component) }
}

test('a calendar entry has the name, place, note and link of the night', () => {
  const { calendar, component, event } = parse(
    aNight('2026-11-27T19:00:00.000Z', { place: 'At Ana’s; second floor', note: 'Popcorn,\nsalted' }),
    'PUBLISH',
  )

  expect(calendar.getFirstPropertyValue('method')).toBe('PUBLISH')
  expect(component.getFirstPropertyValue('status')).toBe('CONFIRMED')
  expect(component.getFirstPropertyValue('url')).toBe(
    'https://films.example.org/watchlists/9c1f5e2a-7d34-4b8e-a1c6-3f2b8d90e7a5/night',
  )
  expect([event.uid, event.sequence]).toEqual([`${ID}@films.example.org`, 4])
  expect([event.summary, event.location, event.description]).toEqual([
    'Movie night: Friday films',
    'At Ana’s; second floor',
    'Popcorn,\nsalted',
  ])
})

test.each([
  ['the day before the clock goes forward', '2027-03-27T19:00:00.000Z'],
  ['the night in which it goes forward', '2027-03-28T00:30:00.000Z'],
  ['the day after', '2027-03-28T18:00:00.000Z'],
  ['the day before the clock goes back', '2027-10-30T18:00:00.000Z'],
  ['the first 2:30 of the night in which it goes back', '2027-10-31T00:30:00.000Z'],
  ['the second 2:30', '2027-10-31T01:30:00.000Z'],
])('an entry for %s starts at the right instant and lasts three hours', (_when, startsAt) => {
  const { event } = parse(aNight(startsAt))

  expect(event.startDate.toJSDate().toISOString()).toBe(startsAt)
  expect(event.endDate.toJSDate().getTime() - event.startDate.toJSDate().getTime()).toBe(3 * 60 * 60_000)
})

test('a cancellation has the method CANCEL and the status CANCELLED', () => {
  const { calendar, component } = parse(aNight('2026-11-27T19:00:00.000Z'), 'CANCEL')

  expect(calendar.getFirstPropertyValue('method')).toBe('CANCEL')
  expect(component.getFirstPropertyValue('status')).toBe('CANCELLED')
})

// Evidence: asvs-1.3.3
test.each(['\r\n', '\n', '\r', '\u2028'])('the line break %j in a text cannot add a component', (lineBreak) => {
  const hostile = `"x${lineBreak}END:VEVENT${lineBreak}BEGIN:VEVENT${lineBreak}SUMMARY:Evil`
  const { components, event } = parse(
    aNight('2026-11-27T19:00:00.000Z', { place: hostile, note: hostile, createdBy: hostile }),
    'PUBLISH',
    hostile,
  )

  expect(components).toHaveLength(1)
  expect(event.uid).toBe(`${ID}@films.example.org`)
})

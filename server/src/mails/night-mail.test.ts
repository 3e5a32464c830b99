import { describe, expect, test } from 'vitest'

import type { NightMail } from '../rooms/nights/nights/service.ts'
import { aPlannedNight } from '../testing/make.ts'
import { nightMails } from './night-mail.ts'

const makeMail = nightMails('https://films.example.org')
const LINK = 'https://films.example.org/watchlists/w1/night'

const aMail = (change: Partial<NightMail> = {}, night: Partial<NightMail['night']> = {}) =>
  makeMail({
    to: 'ben@example.org',
    language: undefined,
    username: 'ben',
    by: 'Ana María',
    watchlistName: 'Friday films',
    news: 'planned',
    calendar: undefined,
    isOwn: false,
    answer: undefined,
    answerUrl: undefined,
    ...change,
    night: aPlannedNight(night),
  })

test('the mail has the time in the time zone of the night, the place, and the link on a line of its own', () => {
  const { to, subject, text, html } = aMail({}, { place: 'At Ana’s' })

  expect(to).toBe('ben@example.org')
  expect(subject).toBe('Movie night: "Friday films"')
  expect(text).toContain('Ana María planned a movie night for "Friday films".')
  expect(text.split('\n')).toEqual(
    expect.arrayContaining(['Friday, 27 November 2026 at 20:00 (Europe/Berlin)', 'Place: At Ana’s', LINK]),
  )
  expect(html).toContain(`href="${LINK}"`)
})

test.each([
  ['changed', 'Movie night changed: "Friday films"', 'Ana María changed the movie night for "Friday films".'],
  ['cancelled', 'Movie night cancelled: "Friday films"', 'Ana María cancelled the movie night for "Friday films".'],
] as const)('a mail about a %s night says so in its subject and text', (news, subject, intro) => {
  const mail = aMail({ news })

  expect(mail.subject).toBe(subject)
  expect(mail.text).toContain(intro)
})

describe('a member', () => {
  const answerUrl = 'https://films.example.org/night-answer/t'

  test('a member answers a single proposed time with one of three links', () => {
    const { text, html } = aMail({ answerUrl })

    expect(text).toContain(
      `Are you coming?\n\nIn:\n${answerUrl}?answer=in\nMaybe:\n${answerUrl}?answer=maybe\nOut:\n${answerUrl}?answer=out\n`,
    )
    expect(html.match(/href="[^"]*\?answer=\w+"/gu)).toHaveLength(3)
  })

  test('a member answers several proposed times through one link', () => {
    const [time] = aPlannedNight({}).times
    const { text } = aMail({ answerUrl }, { times: time ? [time, { ...time, localTime: '2026-11-28T20:00' }] : [] })

    expect(text).toContain(`When can you come?\n\n${answerUrl}\n`)
  })

  test('a member who has accepted is not asked again', () => {
    const { text } = aMail({ answerUrl, news: 'changed', answer: 'in' })

    expect(text).toContain(`You said you are in.\n\n${answerUrl}\n`)
    expect(text).not.toContain('Are you coming?')
  })

  test('a member who changed the night gets no link to answer it', () => {
    const { text } = aMail({ answerUrl, isOwn: true })

    expect(text).toContain('The attached file updates your calendar.')
    expect(text).not.toContain(answerUrl)
  })

  test('a member sees the confirmed time in the subject', () => {
    const { subject, text } = aMail({ news: 'fixed' })

    expect(subject).toBe('Movie night: Friday, 27 November 2026 at 20:00')
    expect(text).toContain('Ana María confirmed the time of the movie night for "Friday films".')
  })
})

test('a mail to a member who uses Arabic has Arabic words and dates and runs right to left', () => {
  const { subject, text, html } = aMail({ language: 'ar' }, { place: 'At Ana’s', maxRuntimeMinutes: 11 })

  expect(subject).toBe('سهرة أفلام: «\u2068Friday films\u2069»')
  expect(text.split('\n')).toEqual(
    expect.arrayContaining([
      '\u2068الجمعة، 27 نوفمبر 2026 في 8:00 م\u2069 (\u2068Europe/Berlin\u2069)',
      'المكان: \u2068At Ana’s\u2069',
      '11 دقيقة على الأكثر',
      LINK,
    ]),
  )
  expect(html).toContain('<html lang="ar" dir="rtl">')
})

test.each(['username', 'by', 'watchlistName'] as const)('a hostile %s cannot start a new line', (field) => {
  const { text, subject } = aMail({ [field]: 'x\r\nhttps://evil.example/\u2028Bcc: eve@example.org' })

  expect(text.split(/[\r\n\u2028]/u).filter((line) => /^(?:https:\/\/evil|Bcc)/u.test(line))).toEqual([])
  expect(subject).not.toMatch(/[\r\n\u2028]/u)
})

test('each line of a note is quoted, and a line break in the place becomes a space', () => {
  const { text } = aMail({}, { note: 'Salted\r\nhttps://evil.example/', place: 'x\nhttps://evil.example/' })

  expect(text).toContain('> Salted\n> https://evil.example/\n')
  expect(text).toContain('Place: x https://evil.example/\n')
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, test } from 'vitest'

import { localesIn } from './texts.ts'

const english = {
  hello: 'Hello {{name}}, welcome to {{place}}.',
  only: 'Only in English',
  box: { movies_one: '{{count}} movie', movies_other: '{{count}} movies' },
}
const FILES = {
  en: english,
  de: {
    hello: 'Hallo {{name}}, willkommen bei {{place}}.',
    box: { movies_one: '{{count}} Film', movies_other: '{{count}} Filme' },
  },
  'pt-BR': { hello: 'Olá' },
  ar: {
    hello: 'مرحبًا {{name}} في {{place}}.',
    box: {
      movies_two: 'فيلمان',
      movies_few: '{{count}} أفلام',
      movies_many: '{{count}} فيلمًا',
      movies_other: '{{count}} فيلم',
    },
  },
}
const folder = mkdtempSync(join(tmpdir(), 'marquee-texts-'))
for (const [language, texts] of Object.entries(FILES)) {
  writeFileSync(join(folder, `${language}.json`), JSON.stringify(texts))
}
afterAll(() => rmSync(folder, { recursive: true }))

const locales = localesIn<typeof english>(folder)

test.each([
  ['en', 1, '1 movie'],
  ['en', 0, '0 movies'],
  ['de', 1, '1 Film'],
  ['de', 1234, '1.234 Filme'],
  ['ar', 2, 'فيلمان'],
  ['ar', 3, '3 أفلام'],
  ['ar', 11, '11 فيلمًا'],
  ['ar', 100, '100 فيلم'],
])('the language %s writes %d movies as "%s"', (language, count, text) => {
  expect(locales.of(language).t('box.movies', { count })).toBe(text)
})

test.each(['xx', undefined, null, '../../../etc/passwd'])('the language %s falls back to English', (language) => {
  expect(locales.of(language)).toMatchObject({ language: 'en', direction: 'ltr' })
})

test('a text that a language lacks falls back to English', () => {
  expect(locales.of('de').t('only')).toBe('Only in English')
})

test('a value stays on one line, and placeholders in it are not replaced', () => {
  const text = locales.of('de').t('hello', { name: 'x\r\nBcc: eve@example.org', place: '{{name}} $& \u202E' })

  expect(text).toBe('Hallo x Bcc: eve@example.org, willkommen bei {{name}} $&.')
})

test('a value keeps its own direction in right-to-left text', () => {
  const { t, direction } = locales.of('ar')

  expect(direction).toBe('rtl')
  expect(t('hello', { name: 'Ana\u2069', place: 'Marquee' })).toBe('مرحبًا \u2068Ana\u2069 في \u2068Marquee\u2069.')
})

test.each([
  ['en', 'Friday, 27 November 2026 at 20:00', '27 November 2026 at 20:00'],
  ['de', 'Freitag, 27. November 2026 um 20:00', '27. November 2026 um 20:00'],
])('a local time in %s is "%s"', (language, full, long) => {
  const { time } = locales.of(language)

  expect([time('2026-11-27T20:00', 'full'), time('2026-11-27T20:00', 'long')]).toEqual([full, long])
})

test.each([
  ['de', 'de'],
  ['de-CH, en;q=0.5', 'de'],
  ['en;q=0.2, de;q=0.9', 'de'],
  ['nl, ja;q=0.9, pt-PT;q=0.8, en;q=0.7', 'pt-BR'],
  ['PT-br', 'pt-BR'],
  ['de;q=0, ar', 'ar'],
  ['*', 'en'],
  ['', 'en'],
  [undefined, 'en'],
  [';;;,,q=,de;q=x', 'en'],
])('the Accept-Language header %j selects the language %s', (header, language) => {
  expect(locales.wanted(header)).toBe(language)
})

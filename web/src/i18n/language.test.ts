import { beforeEach, expect, test } from 'vitest'

import { regionalTag, storedLanguage, wantedLanguage } from './language.ts'

beforeEach(() => localStorage.clear())

test.each([
  [['fr-CA', 'en'], 'fr'],
  [['pt-PT'], 'pt-BR'],
  [['ar-EG', 'de'], 'ar'],
  [['nl', 'es-MX'], 'es'],
  [['EN-gb'], 'en'],
  [['nl', 'ja'], 'en'],
  [[], 'en'],
])('a browser that prefers %j gets %s', (preferred, language) => {
  expect(wantedLanguage(preferred)).toBe(language)
})

test.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['xx', undefined],
  [null, undefined],
])('the stored choice %s is read as the language %s', (stored, language) => {
  if (stored !== null) localStorage.setItem('marquee.language', stored)

  expect(storedLanguage()).toBe(language)
})

test.each([
  ['en', ['de-AT', 'en-GB', 'en-US'], 'en-GB'],
  ['en', ['de-AT'], 'en'],
  ['de', ['en-GB', 'DE-ch'], 'DE-ch'],
  ['pt-BR', ['pt-PT'], 'pt-PT'],
  ['en', ['en-US@posix', 'en-CA'], 'en-CA'],
] as const)('a page in %s formats dates for a browser that prefers %j as in %s', (chosen, preferred, tag) => {
  expect(regionalTag(chosen, preferred)).toBe(tag)
})

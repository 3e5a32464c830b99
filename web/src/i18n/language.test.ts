import { beforeEach, expect, test } from 'vitest'

import { storedLanguage, wantedLanguage } from './language.ts'

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
])('the stored choice %s is the language %s', (stored, language) => {
  if (stored !== null) localStorage.setItem('marquee.language', stored)

  expect(storedLanguage()).toBe(language)
})

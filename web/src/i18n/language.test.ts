import { beforeEach, expect, test, vi } from 'vitest'

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

test('a key without a translation has the English text', async () => {
  // The other tests keep the English texts.
  vi.resetModules()
  const { addTranslation, useTranslation } = await import('./texts.ts')
  addTranslation([{ area: 'auth', tree: { login: { title: 'Anmelden' } } }])
  const { t } = useTranslation('auth')

  expect([t('login.title'), t('common:close')]).toEqual(['Anmelden', 'Close'])
})

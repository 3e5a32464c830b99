import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { applyTheme, chooseTheme, storedTheme } from './theme.ts'

tidyUp()

test('the theme follows the system until one is chosen', () => {
  applyTheme(storedTheme())

  expect(storedTheme()).toBe('system')
  expect(document.documentElement.dataset['theme']).toBeUndefined()
})

test('a chosen theme is shown and remembered, and the system can be followed again', () => {
  chooseTheme('light')
  expect([document.documentElement.dataset['theme'], storedTheme()]).toEqual(['light', 'light'])

  chooseTheme('system')

  expect([document.documentElement.dataset['theme'], storedTheme()]).toEqual([undefined, 'system'])
})

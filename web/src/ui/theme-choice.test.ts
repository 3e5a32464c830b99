/// <reference types="node" />
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInThisContext } from 'node:vm'

import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { applyTheme, chooseTheme, storedTheme } from './theme.ts'

tidyUp()

test('the theme follows the system until the user chooses one', () => {
  applyTheme(storedTheme())

  expect(storedTheme()).toBe('system')
  expect(document.documentElement.dataset['theme']).toBeUndefined()
})

test('a chosen theme is applied and stored, and the user can return to the system theme', () => {
  chooseTheme('light')
  expect([document.documentElement.dataset['theme'], storedTheme()]).toEqual(['light', 'light'])

  chooseTheme('system')

  expect([document.documentElement.dataset['theme'], storedTheme()]).toEqual([undefined, 'system'])
})

const beforeFirstPaint = readFileSync(join(import.meta.dirname, '../../public/boot.js'), 'utf8')

function shown() {
  const colours = document.querySelectorAll('meta[name="theme-color"]')
  return [document.documentElement.dataset['theme'], ...Array.from(colours, (meta) => meta.getAttribute('media'))]
}

test.each([
  ['dark', ['dark', 'all', 'not all']],
  ['light', ['light', 'not all', 'all']],
  ['system', [undefined, '(prefers-color-scheme: dark)', '(prefers-color-scheme: light)']],
] as const)(
  'the theme %s and the colour around the page are already right at the first paint of the app',
  (choice, look) => {
    const fresh = ['dark', 'light'].map(
      (scheme) => `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" data-scheme="${scheme}" />`,
    )
    document.head.innerHTML = fresh.join('')
    chooseTheme(choice)
    expect(shown()).toEqual(look)

    document.head.innerHTML = fresh.join('')
    delete document.documentElement.dataset['theme']
    runInThisContext(beforeFirstPaint)

    expect(shown()).toEqual(look)
  },
)

import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

tidyUp()
afterEach(() => {
  for (const name of ['lang', 'dir']) document.documentElement.removeAttribute(name)
  vi.resetModules()
})

/** The parts as a page in this language has them. */
async function partsIn(language: string) {
  localStorage.setItem('marquee.language', language)
  vi.resetModules()
  const { loadLanguage } = await import('#web/i18n/load-language.ts')
  await loadLanguage()
  const { StarText } = await import('./star-text.tsx')
  const { StarChoice } = await import('./star-choice.tsx')
  return { StarText, StarChoice }
}

test.each([
  ['de', '4,5 Sterne'],
  ['fr', '4,5 étoiles'],
])('half stars use the decimal mark of the language: %s', async (language, text) => {
  const { StarText, StarChoice } = await partsIn(language)

  const { container } = render(<StarText stars={4.5} />)
  expect(container.textContent).toBe(`★★★★½${text}`)
  render(<StarChoice value={4.5} onChange={() => {}} />)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: text }).checked).toBe(true)
})

import '#web/i18n/night-texts.ts'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { Choices } from './choices.tsx'

tidyUp()

test.each([
  { direction: 'ltr', next: 'ArrowRight', back: 'ArrowLeft' },
  { direction: 'rtl', next: 'ArrowLeft', back: 'ArrowRight' },
])('the arrow keys of a remote move along the buttons ($direction)', async ({ direction, next, back }) => {
  document.documentElement.dir = direction
  onTestFinished(() => {
    document.documentElement.dir = ''
  })
  await renderPart(
    <Choices>
      {['First', 'Second', 'Third'].map((name) => (
        <button key={name} type="button">
          {name}
        </button>
      ))}
    </Choices>,
  )
  const focused = () => document.activeElement?.textContent

  await userEvent.keyboard(`{${next}}`)
  expect(focused()).toBe('First')
  await userEvent.keyboard(`{${next}}`)
  expect(focused()).toBe('Second')
  await userEvent.keyboard(`{${back}}`)
  expect(focused()).toBe('First')
  await userEvent.keyboard('{ArrowDown}')
  expect(focused()).toBe('Second')
})

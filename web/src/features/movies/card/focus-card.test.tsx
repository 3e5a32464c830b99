import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'
import { WITHIN } from '#web/testing/within.ts'

import { focusCard } from './focus-card.ts'

tidyUp()
afterEach(() => document.body.replaceChildren())

function appears(id: string): HTMLElement {
  const card = Object.assign(document.createElement('article'), { id, tabIndex: -1 })
  document.body.append(card)
  return card
}

const frames = async (count: number) => {
  for (let frame = 0; frame < count; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
}

test('a card that appears a moment later gets the focus', async () => {
  focusCard('c1')
  await frames(3)

  const card = appears('card-c1')

  await expect.poll(() => document.activeElement, WITHIN).toBe(card)
})

test.each([
  ['a key', async () => userEvent.keyboard('{Escape}')],
  ['a press', async () => userEvent.click(document.body)],
])('%s stops the wait for a card that has not appeared', async (_what, input) => {
  focusCard('c2')
  await input()

  const card = appears('card-c2')
  await frames(3)

  expect(document.activeElement).not.toBe(card)
})

test('the wait for a missing card ends after a few seconds', async () => {
  focusCard('c3')
  await frames(320)

  const card = appears('card-c3')
  await frames(3)

  expect(document.activeElement).not.toBe(card)
})

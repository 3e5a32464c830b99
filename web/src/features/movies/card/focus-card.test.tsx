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

test('a card that appears soon gets the focus', async () => {
  focusCard('c1')
  await frames(3)

  const card = appears('card-c1')

  await expect.poll(() => document.activeElement, WITHIN).toBe(card)
})

test.each([
  ['a key', async () => userEvent.keyboard('{Escape}')],
  ['a press', async () => userEvent.click(document.body)],
])('%s ends the wait for a card that is not there', async (_what, input) => {
  focusCard('c2')
  await input()

  const card = appears('card-c2')
  await frames(3)

  expect(document.activeElement).not.toBe(card)
})

test('the wait for a card that is not there ends by itself', async () => {
  focusCard('c3')
  await frames(320)

  const card = appears('card-c3')
  await frames(3)

  expect(document.activeElement).not.toBe(card)
})

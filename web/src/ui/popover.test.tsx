import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { Popover } from './popover.tsx'

tidyUp()

async function openPanel() {
  render(
    <>
      <Popover label="Invitations" trigger="*" triggerClassName="" panelClassName="">
        {(close) => (
          <button type="button" onClick={close}>
            {'Done'}
          </button>
        )}
      </Popover>
      <button type="button">{'Elsewhere'}</button>
    </>,
  )
  const button = screen.getByRole('button', { name: 'Invitations', expanded: false })
  await userEvent.click(button)
  return button
}

const panelButton = () => screen.queryByRole('button', { name: 'Done' })

test('a panel opens below its button and gets the focus', async () => {
  const button = await openPanel()

  expect(button.getAttribute('aria-expanded')).toBe('true')
  expect(document.activeElement?.id).toBe(button.getAttribute('aria-controls'))
  expect(document.activeElement?.contains(panelButton())).toBe(true)
})

test.each([
  ['Escape', '{Escape}'],
  ['a button inside', '{Tab}{Enter}'],
])('%s closes the panel and returns the focus to its button', async (_, keys) => {
  const button = await openPanel()

  await userEvent.keyboard(keys)

  expect(panelButton()).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(button))
})

test.each([
  ['a press elsewhere', async () => userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }))],
  ['moving on with the keyboard', async () => userEvent.keyboard('{Tab}{Tab}')],
])('%s closes the panel and moves the focus there', async (_, leave) => {
  await openPanel()

  await leave()

  expect(panelButton()).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Elsewhere' })))
})

test('a second press of the button closes the panel', async () => {
  const button = await openPanel()

  await userEvent.click(button)

  expect(panelButton()).toBeNull()
})

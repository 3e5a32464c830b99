import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'

import { showModalDialogs } from '#web/testing/modal-dialogs.ts'
import { tidyUp } from '#web/testing/render-part.tsx'

import { Dialog } from './dialog.tsx'

tidyUp()
beforeEach(showModalDialogs)

function Page() {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        {'Delete'}
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Delete it?"
        description="It will be lost."
        actions={
          <button type="button" onClick={() => setOpen(false)}>
            {'Keep it'}
          </button>
        }
      />
    </>
  )
}

async function openQuestion() {
  render(<Page />)
  const opener = screen.getByRole('button', { name: 'Delete' })
  await userEvent.click(opener)
  return { opener, dialog: screen.getByRole<HTMLDialogElement>('dialog', { name: 'Delete it?' }) }
}

// Evidence: wcag-4.1.2
test('a dialog has a name and a description, and its safe answer has the focus', async () => {
  const { dialog } = await openQuestion()

  expect(dialog.getAttribute('aria-describedby')).toBe(screen.getByText('It will be lost.').id)
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep it' })))
})

// Evidence: wcag-2.1.2, wcag-2.4.3
test.each([
  ['its answer', async () => userEvent.click(screen.getByRole('button', { name: 'Keep it' }))],
  ['a press outside', async () => userEvent.click(screen.getByRole('dialog'))],
  ['Escape', async () => screen.getByRole('dialog').dispatchEvent(new Event('cancel', { cancelable: true }))],
])('%s closes the dialog and returns the focus', async (_, close) => {
  const { opener } = await openQuestion()

  await close()

  expect(await screen.findByRole('button', { name: 'Delete' })).toBe(opener)
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('a press on the dialog itself leaves it open', async () => {
  await openQuestion()

  await userEvent.click(screen.getByText('It will be lost.'))

  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('selecting text from inside to outside the dialog leaves it open', async () => {
  const { dialog } = await openQuestion()

  fireEvent.pointerDown(screen.getByText('It will be lost.'))
  fireEvent.pointerUp(dialog)
  fireEvent.click(dialog)

  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a cancel event inside a dialog leaves it open', async () => {
  await openQuestion()

  fireEvent(screen.getByRole('button', { name: 'Keep it' }), new Event('cancel', { bubbles: true }))

  expect(screen.getByRole('dialog')).toBeTruthy()
})

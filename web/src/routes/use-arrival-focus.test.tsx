import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useRef } from 'react'
import { Link, Outlet } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'

import { openApp } from '#web/testing/open-app.tsx'
import { tidyUp } from '#web/testing/render-part.tsx'

import { useArrivalFocus } from './use-arrival-focus.ts'

tidyUp()

function Frame() {
  const content = useRef<HTMLElement>(null)
  useArrivalFocus(content)
  return (
    <>
      <Link to="/one">{'To one'}</Link>
      <Link to="/form">{'To the form'}</Link>
      <main ref={content} tabIndex={-1}>
        <Outlet />
      </main>
    </>
  )
}

async function openFrame(at: string) {
  const children = [
    { path: '/one', element: 'One' },
    { path: '/two', element: 'Two' },
    // oxlint-disable-next-line jsx-a11y/no-autofocus -- a screen that takes the focus is what is tested
    { path: '/form', element: <input aria-label="Name" autoFocus /> },
  ]
  await openApp([{ element: <Frame />, children }], at)
}

// Evidence: wcag-2.4.3
test('a new screen gets the focus at its beginning', async () => {
  await openFrame('/two')

  await userEvent.click(screen.getByRole('link', { name: 'To one' }))

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')))
})

test('the first screen does not get the focus', async () => {
  await openFrame('/one')
  await new Promise(requestAnimationFrame)

  await waitFor(() => expect(document.activeElement).toBe(document.body))
})

test('a screen that sets the focus itself keeps it there', async () => {
  await openFrame('/one')

  await userEvent.click(screen.getByRole('link', { name: 'To the form' }))
  await new Promise(requestAnimationFrame)

  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' })))
})

test('a control that the user presses on the new screen keeps the focus', async () => {
  await openFrame('/two')
  const frames: FrameRequestCallback[] = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
  await userEvent.click(screen.getByRole('link', { name: 'To one' }))
  await screen.findByText('One')
  history.replaceState(null, '', '/one')
  onTestFinished(() => history.replaceState(null, '', '/'))
  const pressed = screen.getByRole('link', { name: 'To the form' })

  fireEvent.pointerDown(pressed)
  pressed.focus()
  expect(frames).toHaveLength(1)
  for (const frame of frames) frame(0)

  expect(document.activeElement).toBe(pressed)
})

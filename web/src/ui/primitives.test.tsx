import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { Avatar } from './avatar.tsx'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { ImagePicker } from './image-picker.tsx'
import { IconButton } from './icon-button.tsx'
import { LiveRegion } from './live-region.tsx'
import { Menu, MenuAction } from './menu.tsx'
import { PasswordField } from './password-field.tsx'
import { Segmented } from './segmented.tsx'
import { Spinner } from './spinner.tsx'
import { TextArea, TextField } from './text-field.tsx'
import { Tooltip } from './tooltip.tsx'

tidyUp()

test('a button has its text as its name and is disabled while busy', () => {
  render(
    <Button tone="primary" busy>
      {'Save'}
    </Button>,
  )

  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Save' })
  expect(button.disabled).toBe(true)
  expect(button.type).toBe('button')
})

test('an icon button has an accessible name', () => {
  render(<IconButton aria-label="Edit name" icon={<svg />} />)

  expect(screen.getByRole('button', { name: 'Edit name' })).toBeTruthy()
})

test('a text field has its label as its name, and its error and hint as its description', () => {
  render(<TextField label="Title" name="title" error="Movie title is required" hint="As on the poster" />)

  const field = screen.getByRole('textbox', { name: 'Title', description: 'Movie title is required As on the poster' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('alert').textContent).toBe('Movie title is required')
})

test('a text area has its label as its name and the given number of rows', () => {
  render(<TextArea label="Description" name="description" rows={8} />)

  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' }).rows).toBe(8)
})

// Evidence: asvs-6.2.6
test('a password can be shown and hidden', async () => {
  render(<PasswordField label="Password" name="password" showLabel="Show password" hideLabel="Hide password" />)
  const field = screen.getByLabelText<HTMLInputElement>('Password')
  await userEvent.type(field, 'Passw0rd')
  expect(field.type).toBe('password')

  await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
  expect([field.type, field.value]).toEqual(['text', 'Passw0rd'])

  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(field.type).toBe('password')
})

test('a button passes on its ref', () => {
  const held = createRef<HTMLButtonElement>()
  render(
    <Button tone="quiet" ref={held}>
      {'Save'}
    </Button>,
  )

  expect(held.current).toBe(screen.getByRole('button', { name: 'Save' }))
})

test('a checkbox has its label as its name and its hint as its description', () => {
  render(<Checkbox label="Reveal" hint="Right away" name="reveal" />)

  expect(screen.getByRole('checkbox', { name: 'Reveal', description: 'Right away' })).toBeTruthy()
})

test('a segmented choice is a named group of radio buttons', async () => {
  const onChange = vi.fn<(value: string) => void>()
  const options = [
    { value: 'url', label: 'Image URL' },
    { value: 'file', label: 'Upload a file' },
  ]
  render(<Segmented legend="Image" name="source" value="url" options={options} onChange={onChange} />)

  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))

  expect(screen.getByRole('group', { name: 'Image' })).toBeTruthy()
  expect(onChange.mock.calls).toEqual([['file']])
})

test('an image picker is found by its label', async () => {
  const picked: File[] = []
  render(<ImagePicker label="Choose an image" name="image" onPick={(file) => picked.push(file)} />)
  const file = new File(['x'], 'poster.png', { type: 'image/png' })

  await userEvent.upload(screen.getByLabelText('Choose an image'), file)

  expect(picked).toEqual([file])
})

test('an error is an alert, and a success message is a status', () => {
  render(
    <>
      <Banner tone="error">{'It failed'}</Banner>
      <Banner tone="success">{'It is done'}</Banner>
    </>,
  )

  expect(screen.getByRole('alert').textContent).toBe('It failed')
  expect(screen.getByRole('status').textContent).toBe('It is done')
})

test('a spinner with a label is a status', () => {
  render(<Spinner label="Loading" />)

  expect(screen.getByRole('status').textContent).toBe('Loading')
})

test('an avatar without an image shows the first letter', () => {
  render(<Avatar name="ana" />)

  expect(screen.getByText('A')).toBeTruthy()
})

test('an avatar whose image cannot be loaded shows the first letter', async () => {
  const { container } = render(<Avatar name="ben" src="/gone.png" />)

  container.querySelector('img')?.dispatchEvent(new Event('error'))

  expect(await screen.findByText('B')).toBeTruthy()
})

// Evidence: wcag-1.4.13
test('a tooltip is shown on focus and hidden by Escape', async () => {
  render(<Tooltip text="Ana suggested it">{'*'}</Tooltip>)

  await userEvent.tab()
  expect(screen.getByRole('tooltip').textContent).toBe('Ana suggested it')
  await userEvent.keyboard('{Escape}')

  expect(screen.queryByRole('tooltip')).toBeNull()
})

class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

// Evidence: wcag-2.1.1
test('a menu can be opened and used with the keyboard, and marks its current entry', async () => {
  vi.stubGlobal('ResizeObserver', NoObserver)
  const chosen: string[] = []
  render(
    <Menu label="Switch watchlist" trigger="Friday">
      <MenuAction isCurrent onSelect={() => chosen.push('friday')}>
        {'Friday'}
      </MenuAction>
      <MenuAction onSelect={() => chosen.push('slow')}>{'Slow cinema'}</MenuAction>
    </Menu>,
  )

  screen.getByRole('button', { name: 'Switch watchlist' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(await screen.findByRole('menuitem', { name: 'Friday', current: true })).toBeTruthy()
  await userEvent.keyboard('{ArrowDown}{Enter}')

  expect(chosen).toEqual(['slow'])
})

test('a menu that loads late leaves the focus where the user has moved it, and opens at the next press', async () => {
  vi.stubGlobal('ResizeObserver', NoObserver)
  render(
    <>
      <Menu label="Options" trigger="More">
        <MenuAction onSelect={() => {}}>{'Sign out'}</MenuAction>
      </Menu>
      <TextField label="Title" name="title" />
    </>,
  )
  const button = screen.getByRole('button', { name: 'Options' })
  const field = screen.getByRole('textbox', { name: 'Title' })

  fireEvent.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  field.focus()
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBeNull())
  expect([document.activeElement, screen.queryByRole('menu')]).toEqual([field, null])

  await userEvent.click(button)
  expect(await screen.findByRole('menuitem', { name: 'Sign out' })).toBeTruthy()
})

test('a menu whose code cannot be loaded reports a network error', async () => {
  vi.doMock('./headless-menu.tsx', () => {
    throw new TypeError('Failed to fetch')
  })
  render(
    <>
      <Menu label="Options" trigger="More">
        <MenuAction onSelect={() => {}}>{'Sign out'}</MenuAction>
      </Menu>
      <LiveRegion />
    </>,
  )

  await userEvent.click(screen.getByRole('button', { name: 'Options' }))

  expect(await screen.findByText('Network error. Please check your connection.')).toBeTruthy()
  vi.doUnmock('./headless-menu.tsx')
})

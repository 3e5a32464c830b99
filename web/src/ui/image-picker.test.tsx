import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'

import { ImagePicker } from './image-picker.tsx'
import { TextField } from './text-field.tsx'

afterEach(cleanup)

const picture = new File(['x'], 'poster.png', { type: 'image/png' })

function openPicker() {
  const picked: File[] = []
  render(
    <>
      <TextField label="Title" name="title" />
      <ImagePicker label="Choose an image" name="image" onPick={(file) => picked.push(file)} />
    </>,
  )
  return picked
}

test('an image dropped anywhere on the page is picked, and the browser does not open it', () => {
  const picked = openPicker()

  const isLeft = fireEvent.drop(document.body, { dataTransfer: { files: [picture], types: ['Files'] } })

  expect(picked).toEqual([picture])
  expect(isLeft).toBe(false)
})

test('an image pasted from the clipboard is picked', () => {
  const picked = openPicker()

  fireEvent.paste(document.body, { clipboardData: { files: [picture], types: ['Files'] } })

  expect(picked).toEqual([picture])
})

test('an image pasted into a text field is picked', () => {
  const picked = openPicker()

  fireEvent.paste(screen.getByLabelText('Title'), { clipboardData: { files: [picture], types: ['Files'] } })

  expect(picked).toEqual([picture])
})

test('pasted text stays text, even if the clipboard also has an image', () => {
  const picked = openPicker()
  const clipboardData = { files: [picture], types: ['text/plain', 'Files'] }

  const isPasted = fireEvent.paste(screen.getByLabelText('Title'), { clipboardData })

  expect(picked).toEqual([])
  expect(isPasted).toBe(true)
})

test('only one of two pickers takes a pasted image', () => {
  const one = openPicker()
  const other = openPicker()

  fireEvent.paste(document.body, { clipboardData: { files: [picture], types: ['Files'] } })

  expect([...one, ...other]).toEqual([picture])
})

test('an unmounted picker takes no pasted image', () => {
  const picked = openPicker()
  cleanup()

  fireEvent.paste(document.body, { clipboardData: { files: [picture], types: ['Files'] } })

  expect(picked).toEqual([])
})

import type { Card } from '@marquee/contract/entities/card'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { AddMovieForm } from './card-forms.tsx'

tidyUp()

async function openForm() {
  const added: Card[] = []
  await renderPart(<AddMovieForm watchlistId="w1" onAdded={(card) => added.push(card)} onClose={() => {}} />)
  return { added, submit: async () => userEvent.click(screen.getByRole('button', { name: 'Add to watchlist' })) }
}

// Evidence: wcag-3.3.1
test('each broken rule is shown in turn at its field, which gets the focus', async () => {
  const { submit } = await openForm()
  const title = screen.getByRole('textbox', { name: 'Title' })
  const url = screen.getByRole('textbox', { name: 'Image URL' })

  await submit()
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Movie title is required'])
  await waitFor(() => expect(document.activeElement).toBe(title))

  await userEvent.type(title, 'Yi Yi')
  await submit()
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['An image is required'])
  await waitFor(() => expect(document.activeElement).toBe(url))

  await userEvent.type(url, 'example.org/poster.jpg')
  await submit()
  expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(['Please enter a valid image URL'])
})

test('a URL without an image extension is accepted if the server finds an image there', async () => {
  const api = fakeApi({ validateImageUrl: () => undefined, addCard: () => aCard('c1') })
  const { added, submit } = await openForm()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/poster')

  await submit()

  await waitFor(() => expect(added).toHaveLength(1))
  expect(api.calls.map(({ name, request }) => [name, request.body])).toEqual([
    ['validateImageUrl', { url: 'https://example.org/poster' }],
    ['addCard', { title: 'Yi Yi', description: null, image: 'https://example.org/poster', revealImmediately: false }],
  ])
})

test('a URL without an image shows an error at its field, and no card is added', async () => {
  const api = fakeApi({ validateImageUrl: () => new Refusal(400, 'BAD_REQUEST', 'No image there') })
  const { submit } = await openForm()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/page')

  await submit()

  expect((await screen.findByRole('alert')).textContent).toBe('Please enter a valid image URL')
  expect(api.callsOf('addCard')).toEqual([])
})

test('a movie is added with the URL of its poster, and the form is cleared', async () => {
  const api = fakeApi({ addCard: () => aCard('c1', 'SUGGESTED') })
  const { added, submit } = await openForm()

  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/poster.jpg?w=400')
  await submit()

  await waitFor(() => expect(added.map(({ id }) => id)).toEqual(['c1']))
  expect(api.callsOf('addCard')[0]?.request.body).toEqual({
    title: 'Yi Yi',
    description: null,
    image: 'https://example.org/poster.jpg?w=400',
    revealImmediately: false,
  })
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('')
})

test.each([
  [
    'is not an image',
    new File(['x'], 'a.txt', { type: 'text/plain' }),
    'Please select a valid image file (JPG, PNG, GIF).',
  ],
  [
    'is larger than 5 MB',
    new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'a.png', { type: 'image/png' }),
    'File size must be less than 5MB.',
  ],
])('a file that %s is rejected before it is sent', async (_, file, text) => {
  await openForm()
  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))

  await userEvent.upload(screen.getByLabelText('Choose an image'), file, { applyAccept: false })

  expect(await screen.findByText(text)).toBeTruthy()
})

test('a chosen file is previewed and sent as a data URL', async () => {
  const api = fakeApi({ addCard: () => aCard('c1') })
  const { added, submit } = await openForm()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))

  await userEvent.upload(screen.getByLabelText('Choose an image'), new File(['GIF89a'], 'a.gif', { type: 'image/gif' }))
  expect(await screen.findByRole('img', { name: 'Preview of the chosen image' })).toBeTruthy()
  await submit()

  await waitFor(() => expect(added).toHaveLength(1))
  expect(api.callsOf('addCard')[0]?.request.body).toMatchObject({ image: 'data:image/gif;base64,R0lGODlh' })
})

/** A file whose first bytes arrive when the test says so. */
function aSlowFile() {
  const { promise, resolve, reject } = Promise.withResolvers<ArrayBuffer>()
  const file = new File(['GIF89a'], 'a.gif', { type: 'image/gif' })
  return {
    file: Object.assign(file, { slice: () => ({ arrayBuffer: async () => promise }) }),
    arrive: () => resolve(new TextEncoder().encode('GIF89a').buffer),
    fail: () => reject(new Error('The file has gone')),
  }
}

test('a movie cannot be added until its picture has been read', async () => {
  const api = fakeApi({ addCard: () => aCard('c1') })
  const { added, submit } = await openForm()
  const slow = aSlowFile()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))
  await userEvent.upload(screen.getByLabelText('Choose an image'), slow.file)

  await submit()
  expect(screen.queryByRole('alert')).toBeNull()
  slow.arrive()
  await screen.findByRole('img', { name: 'Preview of the chosen image' })
  await submit()

  await waitFor(() => expect(added).toHaveLength(1))
  expect(api.callsOf('addCard')[0]?.request.body).toMatchObject({ image: 'data:image/gif;base64,R0lGODlh' })
})

test('a file that cannot be read is ignored if another was chosen after it', async () => {
  const api = fakeApi({ addCard: () => aCard('c1') })
  const { added, submit } = await openForm()
  const slow = aSlowFile()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))
  const picker = screen.getByLabelText('Choose an image')
  await userEvent.upload(picker, slow.file)
  await userEvent.upload(picker, new File(['GIF89a'], 'b.gif', { type: 'image/gif' }))
  await screen.findByRole('img', { name: 'Preview of the chosen image' })

  slow.fail()
  await submit()

  await waitFor(() => expect(added).toHaveLength(1))
  expect(api.callsOf('addCard')[0]?.request.body).toMatchObject({ image: 'data:image/gif;base64,R0lGODlh' })
})

test('a refusal is shown once with the server’s message, and the form keeps its values', async () => {
  fakeApi({ addCard: () => new Refusal(400, 'BAD_REQUEST', 'The image could not be read') })
  const { submit } = await openForm()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/a.png')

  await submit()

  expect(await screen.findAllByText('Failed to add the movie')).toHaveLength(1)
  expect(screen.getByText('The image could not be read')).toBeTruthy()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Yi Yi')
})

test('an upload shows its progress and can be cancelled without losing what was typed', async () => {
  const api = fakeApi({ addCard: async () => new Promise(() => {}) })
  const { added, submit } = await openForm()
  await userEvent.type(screen.getByRole('textbox', { name: 'Title' }), 'Yi Yi')
  await userEvent.click(screen.getByRole('radio', { name: 'Upload a file' }))
  await userEvent.upload(screen.getByLabelText('Choose an image'), new File(['GIF89a'], 'a.gif', { type: 'image/gif' }))
  await screen.findByRole('img', { name: 'Preview of the chosen image' })

  await submit()
  expect((await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Uploading, 50%' })).value).toBe(0.5)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel upload' }))

  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull())
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Yi Yi')
  expect([api.callsOf('addCard').length, added.length]).toEqual([1, 0])
})

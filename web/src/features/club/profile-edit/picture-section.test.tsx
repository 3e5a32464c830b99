import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aProfile, aProfileWithAvatar } from '#web/testing/samples.ts'

import { PictureSection } from './picture-section.tsx'

tidyUp()

const picture = new File(['GIF89a'], 'me.gif', { type: 'image/gif' })
const DATA_URL = 'data:image/gif;base64,R0lGODlh'

async function openSection(answers: FakeAnswers) {
  const api = fakeApi({ getProfile: () => aProfile('Ana'), getOwnProfile: () => aProfile('Ana'), ...answers })
  const view = await renderPart(<PictureSection username="Ana" loginId="ana@example.org" />)
  return { api, face: () => view.container.querySelector('img[alt=""]')?.getAttribute('src') }
}

async function choose(file: File): Promise<void> {
  await userEvent.upload(await screen.findByLabelText('Choose a picture'), file, { applyAccept: false })
}

test('a chosen picture is previewed, and uploaded when the button is pressed', async () => {
  let avatar = aProfile('Ana')
  const { api, face } = await openSection({
    getOwnProfile: () => avatar,
    uploadAvatar: () => (avatar = aProfileWithAvatar('Ana')),
  })

  await choose(picture)
  const preview = await screen.findByRole<HTMLImageElement>('img', { name: 'Preview of your new picture' })
  expect(preview.src).toBe(DATA_URL)
  expect(api.callsOf('uploadAvatar')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Upload' }))

  expect((await screen.findByRole('status')).textContent).toBe('Your profile picture was updated.')
  expect(api.callsOf('uploadAvatar')[0]?.request.body).toEqual({ imageData: DATA_URL })
  await waitFor(() => expect(face()).toBe('/images/Ana.webp'))
})

test.each([
  ['not an image', new File(['x'], 'notes.txt', { type: 'text/plain' }), 'Please select a valid image file.'],
  [
    'too large',
    new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'big.png', { type: 'image/png' }),
    'File size must be less than 5MB.',
  ],
])('a file that is %s is rejected before the upload', async (_, file, words) => {
  const { api } = await openSection({})

  await choose(file)

  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(screen.queryByRole('button', { name: 'Upload' })).toBeNull()
  expect(api.callsOf('uploadAvatar')).toEqual([])
})

test('cancelling removes the chosen picture', async () => {
  const { api } = await openSection({})

  await choose(picture)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))

  expect(screen.queryByRole('img', { name: 'Preview of your new picture' })).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Choose a picture')))
  expect(api.callsOf('uploadAvatar')).toEqual([])
})

test('an upload shows its progress and can be cancelled', async () => {
  await openSection({ uploadAvatar: async () => new Promise(() => {}) })

  await choose(picture)
  await userEvent.click(await screen.findByRole('button', { name: 'Upload' }))
  expect((await screen.findByRole<HTMLProgressElement>('progressbar', { name: 'Uploading... 50%' })).value).toBe(0.5)
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))

  expect(await screen.findByRole('button', { name: 'Upload' })).toBe(document.activeElement)
  expect(screen.queryByRole('progressbar')).toBeNull()
  expect(screen.queryByRole('alert')).toBeNull()
})

test.each([
  [new Refusal(400, 'BAD_REQUEST', 'This is not an image'), 'This is not an image'],
  [new Refusal(403, 'UNAUTHORIZED', 'Unauthorized access'), 'You are not authorized to perform this action.'],
  [new Refusal(500, 'SERVER_ERROR', 'Server error: 500'), 'Server error. Please try again later.'],
])('a failed upload shows the reason and can be retried: %o', async (refusal, why) => {
  await openSection({ uploadAvatar: () => refusal })

  await choose(picture)
  await userEvent.click(await screen.findByRole('button', { name: 'Upload' }))

  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(`Failed to upload avatar. Please try again.${why}`)
  expect(screen.getByRole('button', { name: 'Upload' })).toBeTruthy()
})

test('a user without a picture sees no remove button', async () => {
  const { api } = await openSection({})

  await waitFor(() => expect(api.callsOf('getOwnProfile')).toHaveLength(1))
  expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull()
})

test('a picture is removed after a confirmation, and the focus stays in the section', async () => {
  let avatar = aProfileWithAvatar('Ana')
  const { api, face } = await openSection({
    getOwnProfile: () => avatar,
    deleteAvatar: () => void (avatar = aProfile('Ana')),
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Remove picture' }))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Keep it' })))
  expect(api.callsOf('deleteAvatar')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Remove picture' }))

  expect((await screen.findByRole('status')).textContent).toBe('Your profile picture was removed.')
  expect(face()).toBeUndefined()
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Profile picture' })))
})

test('the confirmation to remove a picture stays open while another picture is pasted', async () => {
  await openSection({ getOwnProfile: () => aProfileWithAvatar('Ana') })

  await userEvent.click(await screen.findByRole('button', { name: 'Remove picture' }))
  fireEvent.paste(document.body, { clipboardData: { types: ['Files'], files: [picture] } })

  expect(await screen.findByRole('img', { name: 'Preview of your new picture', hidden: true })).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a failed removal is shown in its confirmation dialog', async () => {
  await openSection({
    getOwnProfile: () => aProfileWithAvatar('Ana'),
    deleteAvatar: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
  })

  await userEvent.click(await screen.findByRole('button', { name: 'Remove picture' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove picture' }))

  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe('Failed to remove avatar. Please try again.Server error. Please try again later.')
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a failure to load the profile is shown and can be retried', async () => {
  let isUp = false
  await openSection({
    getOwnProfile: () => (isUp ? aProfileWithAvatar('Ana') : new Refusal(404, 'NOT_FOUND', 'Resource not found')),
  })

  expect((await screen.findByRole('alert')).textContent).toContain('Your profile could not be loaded.')
  isUp = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))

  expect(await screen.findByRole('button', { name: 'Remove picture' })).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})

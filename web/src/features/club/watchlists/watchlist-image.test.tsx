import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { watchlistDetail } from './queries.ts'
import { useImageEdit, AddImageButton, WatchlistImage } from './watchlist-image.tsx'
import { WITHIN } from '#web/testing/within.ts'

tidyUp()

const picture = new File(['GIF89a'], 'cover.gif', { type: 'image/gif' })
const DATA_URL = 'data:image/gif;base64,R0lGODlh'
const WITH_IMAGE = aWatchlist('w1', { hasImage: true, fullImageUrl: 'https://marquee.test/images/cover.webp' })

function Part({ isMember }: { isMember: boolean }) {
  const edit = useImageEdit()
  const { data } = useQuery(watchlistDetail('w1', useQueryClient()))
  if (data === undefined) return null
  return (
    <>
      <h1>{data.name}</h1>
      <WatchlistImage watchlist={data} isMember={isMember} edit={edit} />
      {data.fullImageUrl === null && edit.view.step === 'shown' && <AddImageButton edit={edit} />}
    </>
  )
}

async function openPart({ isMember = true, ...answers }: FakeAnswers & { isMember?: boolean } = {}) {
  const api = fakeApi({ getWatchlist: () => aWatchlist(), ...answers })
  const { container } = await renderPart(<Part isMember={isMember} />)
  await screen.findByRole('heading', { level: 1 })
  return { api, cover: () => container.querySelector('img[alt=""]')?.getAttribute('src') }
}

async function choose(file: File): Promise<void> {
  await userEvent.upload(await screen.findByLabelText('Choose an image'), file, { applyAccept: false })
}

test('an image is chosen, previewed and uploaded, and the panel closes two seconds later', async () => {
  let watchlist: Watchlist = aWatchlist()
  const { api, cover } = await openPart({
    getWatchlist: () => watchlist,
    uploadWatchlistImage: () => (watchlist = WITH_IMAGE),
  })

  await userEvent.click(screen.getByRole('button', { name: 'Add an image' }))
  const picker = await screen.findByLabelText('Choose an image')
  await vi.waitFor(() => expect(document.activeElement).toBe(picker), WITHIN)
  await choose(picture)
  expect((await screen.findByRole<HTMLImageElement>('img', { name: 'Preview of the new image' })).src).toBe(DATA_URL)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.click(screen.getByRole('button', { name: 'Upload' }))

  await vi.waitFor(() => {
    expect(screen.getByRole('status').textContent).toBe('Watchlist image updated successfully!')
  }, WITHIN)
  expect(cover()).toBe(WITH_IMAGE.fullImageUrl)
  expect(api.callsOf('uploadWatchlistImage')[0]?.request.body).toEqual({ imageData: DATA_URL })
  await act(async () => await vi.advanceTimersByTimeAsync(1_800))
  expect(screen.queryByRole('status')).not.toBeNull()
  await act(async () => await vi.advanceTimersByTimeAsync(200))
  expect(screen.queryByRole('status')).toBeNull()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change the image' }))
})

test.each([
  [
    'not an image',
    new File(['x'], 'notes.txt', { type: 'text/plain' }),
    'Please select a valid image file (JPG, PNG, GIF).',
  ],
  [
    'too large',
    new File([new Uint8Array(5 * 1024 * 1024 + 1)], 'big.png', { type: 'image/png' }),
    'File size must be less than 5MB.',
  ],
])('a file that is %s is rejected before the upload', async (_, file, words) => {
  const { api } = await openPart()

  await userEvent.click(screen.getByRole('button', { name: 'Add an image' }))
  await choose(file)

  expect((await screen.findByRole('alert')).textContent).toBe(words)
  expect(api.callsOf('uploadWatchlistImage')).toEqual([])
})

test('cancelling a preview and closing the panel returns the focus to its button', async () => {
  const { api } = await openPart()

  await userEvent.click(screen.getByRole('button', { name: 'Add an image' }))
  await choose(picture)
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))

  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add an image' }))
  expect(api.callsOf('uploadWatchlistImage')).toEqual([])
})

test('a failed upload is shown and keeps the preview', async () => {
  await openPart({ uploadWatchlistImage: () => new Refusal(400, 'BAD_REQUEST', 'This is not an image') })

  await userEvent.click(screen.getByRole('button', { name: 'Add an image' }))
  await choose(picture)
  await userEvent.click(await screen.findByRole('button', { name: 'Upload' }))

  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to upload image. Please try again.This is not an image',
  )
  expect(screen.getByRole('img', { name: 'Preview of the new image' })).toBeTruthy()
})

test('an image is removed after a confirmation', async () => {
  let watchlist: Watchlist = WITH_IMAGE
  const { api, cover } = await openPart({
    getWatchlist: () => watchlist,
    deleteWatchlistImage: () => void (watchlist = aWatchlist()),
  })

  await userEvent.click(screen.getByRole('button', { name: 'Change the image' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove the image' }))
  expect(api.callsOf('deleteWatchlistImage')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Remove image' }))

  expect((await screen.findByRole('status')).textContent).toBe('Watchlist image removed successfully!')
  expect(cover()).toBeUndefined()
})

test('the confirmation to remove an image stays open while another image is pasted', async () => {
  await openPart({ getWatchlist: () => WITH_IMAGE })

  await userEvent.click(screen.getByRole('button', { name: 'Change the image' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove the image' }))
  fireEvent.paste(document.body, { clipboardData: { types: ['Files'], files: [picture] } })

  expect(await screen.findByRole('img', { name: 'Preview of the new image', hidden: true })).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
})

test('a failed removal is shown in its confirmation dialog', async () => {
  await openPart({
    getWatchlist: () => WITH_IMAGE,
    deleteWatchlistImage: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500'),
  })

  await userEvent.click(screen.getByRole('button', { name: 'Change the image' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove the image' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove image' }))

  expect((await screen.findByRole('alert')).textContent).toContain('Failed to remove image. Please try again.')
})

test('a visitor sees the image and cannot change it', async () => {
  const { cover } = await openPart({ isMember: false, getWatchlist: () => WITH_IMAGE })

  expect(cover()).toBe(WITH_IMAGE.fullImageUrl)
  expect(screen.queryByRole('button')).toBeNull()
})

import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { tidyUp } from '#web/testing/render-part.tsx'

import { ImageUpload } from './image-upload.tsx'

tidyUp()

const TEXTS = {
  choose: 'Choose an image',
  hint: 'JPG, PNG or GIF',
  reading: 'Reading',
  undrawable: 'It cannot be drawn',
  preview: 'Preview',
  upload: 'Upload',
  cancel: 'Cancel',
  uploading: (percent: number) => `Uploading, ${percent}%`,
  processing: 'Processing',
}

type Watch = { signal: AbortSignal; onProgress: (sent: number) => void }

/** An image on its way, of which nothing is sent yet. */
async function anUpload() {
  const { promise: sending, resolve: begin } = Promise.withResolvers<Watch>()
  const { unmount } = render(
    <ImageUpload
      texts={TEXTS}
      shape="wide"
      maxPixels={24_000_000}
      faultOf={() => undefined}
      send={async (_, watch) => {
        begin(watch)
        return new Promise(() => {})
      }}
      failureOf={() => 'It failed'}
      onUploaded={() => {}}
    />,
  )
  await userEvent.upload(screen.getByLabelText('Choose an image'), new File(['GIF89a'], 'a.gif', { type: 'image/gif' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Upload' }))
  const { signal, onProgress } = await sending
  return { signal, progress: (sent: number) => act(() => onProgress(sent)), leave: unmount }
}

test('an upload can be cancelled until it is sent completely', async () => {
  const { progress } = await anUpload()

  progress(0.99)
  expect(screen.getByRole('progressbar', { name: 'Uploading, 99%' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()

  progress(1)
  expect(screen.getByRole('progressbar', { name: 'Processing' })).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

test.each([
  [0.99, true],
  [1, false],
])('leaving the screen when %f of an upload is sent aborts it: %s', async (sent, isEnded) => {
  const { signal, progress, leave } = await anUpload()
  progress(sent)

  leave()

  expect(signal.aborted).toBe(isEnded)
})

test('an image that is read slowly does not replace one chosen after it', async () => {
  const { promise: read, resolve: finish } = Promise.withResolvers<ArrayBuffer>()
  const slow = new File(['GIF87a'], 'slow.gif', { type: 'image/gif' })
  vi.spyOn(slow, 'slice').mockReturnValue(Object.assign(new Blob(), { arrayBuffer: async () => read }))
  render(
    <ImageUpload
      texts={TEXTS}
      shape="wide"
      maxPixels={24_000_000}
      faultOf={() => undefined}
      send={async () => undefined}
      failureOf={() => 'It failed'}
      onUploaded={() => {}}
    />,
  )
  const picker = screen.getByLabelText('Choose an image')
  await userEvent.upload(picker, slow)
  await userEvent.upload(picker, new File(['GIF89a'], 'quick.gif', { type: 'image/gif' }))
  const preview = await screen.findByRole<HTMLImageElement>('img', { name: 'Preview' })
  expect(preview.src).toBe('data:image/gif;base64,R0lGODlh')

  finish(new TextEncoder().encode('GIF87a').buffer)
  await act(async () => new Promise((resolve) => setTimeout(resolve, 50)))

  expect(preview.src).toBe('data:image/gif;base64,R0lGODlh')
})

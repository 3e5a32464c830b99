import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { AboutSection } from './about-section.tsx'

tidyUp()

test('a new name and a new description are saved from the settings', async () => {
  const api = fakeApi({ updateWatchlist: ({ body }) => aWatchlist('w1', body as object) })
  await renderPart(<AboutSection watchlist={aWatchlist()} />)

  for (const [button, field] of [
    ['Edit name', 'Name'],
    ['Edit description', 'Description'],
  ] as const) {
    await userEvent.click(screen.getByRole('button', { name: button }))
    await userEvent.clear(screen.getByRole('textbox', { name: field }))
    await userEvent.type(screen.getByRole('textbox', { name: field }), 'Sunday')
    await userEvent.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('button', { name: button })
  }

  expect(api.callsOf('updateWatchlist').map(({ request }) => request.body)).toEqual([
    { name: 'Sunday', description: 'One film a week' },
    { name: 'Watchlist w1', description: 'Sunday' },
  ])
})

test('the settings open the editor for a watchlist without an image', async () => {
  await renderPart(<AboutSection watchlist={aWatchlist()} />)
  await userEvent.click(screen.getByRole('button', { name: 'Add an image' }))
  expect(await screen.findByRole('heading', { name: 'Watchlist image' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Remove/u })).toBeNull()
})

test('the settings can change and remove an existing image', async () => {
  const image = '/images/w1.webp'
  await renderPart(<AboutSection watchlist={aWatchlist('w1', { hasImage: true, fullImageUrl: image })} />)
  await userEvent.click(screen.getByRole('button', { name: 'Change the image' }))
  await userEvent.click(await screen.findByRole('button', { name: /Remove/u }))
  expect(await screen.findByRole('heading', { name: 'Remove the image?' })).toBeTruthy()
})

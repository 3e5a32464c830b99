import { screen, within, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { InfoPanel } from './info-panel.tsx'

tidyUp()

test('a visitor sees the panel without buttons', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Chiyo" isMember={false} />)

  expect(screen.getByRole('heading', { name: 'Watchlist w1' })).toBeTruthy()
  expect(screen.getByText('One film a week')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Edit/u })).toBeNull()
  expect(screen.queryByText('(you)')).toBeNull()
})

test('the signed-in user and the owner are marked among the members, in any letter case', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="ana" isMember />)

  const marked = screen.getAllByRole('listitem').filter((item) => within(item).queryByText('(you)') !== null)
  expect(marked.map(({ textContent }) => textContent)).toEqual(['AAna (you) Owner'])
})

test('an empty name cannot be saved', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '   ')

  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})

test('a new name is trimmed and saved with the unchanged description', async () => {
  const api = fakeApi({ updateWatchlist: ({ body }) => aWatchlist('w1', body as object) })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Sunday {Enter}')

  expect((await screen.findByRole('status')).textContent).toBe('Watchlist updated successfully!')
  expect(api.callsOf('updateWatchlist')[0]?.request.body).toEqual({ name: 'Sunday', description: 'One film a week' })
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit name' })))
})

test('an empty description is saved as null', async () => {
  const api = fakeApi({ updateWatchlist: ({ body }) => aWatchlist('w1', body as object) })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit description' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Description' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByRole('status')
  expect(api.callsOf('updateWatchlist')[0]?.request.body).toEqual({ name: 'Watchlist w1', description: null })
})

test('a failed save is shown and keeps the form open, and cancel restores the old name', async () => {
  fakeApi({ updateWatchlist: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500') })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' two{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to update watchlist. Please try again.Server error. Please try again later.',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))

  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('heading', { name: 'Watchlist w1' })).toBeTruthy()
})

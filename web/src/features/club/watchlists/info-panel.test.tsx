import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { InfoPanel } from './info-panel.tsx'

tidyUp()

test('a visitor reads the panel without buttons', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Chiyo" isMember={false} onGone={() => {}} />)

  expect(screen.getByRole('heading', { name: 'Watchlist w1' })).toBeTruthy()
  expect(screen.getByText('One film a week')).toBeTruthy()
  expect(screen.queryByRole('button', { name: /Edit/u })).toBeNull()
  expect(screen.queryByText('(you)')).toBeNull()
})

test('the signed-in member and the owner are marked among the members, whatever the case of the name', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="ana" isMember onGone={() => {}} />)

  const marked = screen.getAllByRole('listitem').filter((item) => within(item).queryByText('(you)') !== null)
  expect(marked.map(({ textContent }) => textContent)).toEqual(['AAna (you) Owner'])
})

test('a link to the webhooks unfolds the panel', async () => {
  const at = '/watchlists/w1#webhooks'
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />, { at })

  expect(screen.getByRole('button', { name: /Details/u, expanded: true })).toBeTruthy()
})

test('an empty name cannot be saved', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), '   ')

  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
})

test('a new name is saved trimmed, with the description as it was', async () => {
  const api = fakeApi({ updateWatchlist: ({ body }) => aWatchlist('w1', body as object) })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' Sunday {Enter}')

  expect((await screen.findByRole('status')).textContent).toBe('Watchlist updated successfully!')
  expect(api.callsOf('updateWatchlist')[0]?.request.body).toEqual({ name: 'Sunday', description: 'One film a week' })
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Edit name' }))
})

test('an empty description is saved as null', async () => {
  const api = fakeApi({ updateWatchlist: ({ body }) => aWatchlist('w1', body as object) })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit description' }))
  await userEvent.clear(screen.getByRole('textbox', { name: 'Description' }))
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))

  await screen.findByRole('status')
  expect(api.callsOf('updateWatchlist')[0]?.request.body).toEqual({ name: 'Watchlist w1', description: null })
})

test('a failed save is shown and keeps the form open, and cancel restores the old name', async () => {
  fakeApi({ updateWatchlist: () => new Refusal(500, 'SERVER_ERROR', 'Server error: 500') })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Edit name' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'Name' }), ' two{Enter}')
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Failed to update watchlist. Please try again.Server error. Please try again later.',
  )
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))

  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('heading', { name: 'Watchlist w1' })).toBeTruthy()
})

test('a member downloads the watchlist in the format they choose', async () => {
  const api = fakeApi({ exportWatchlist: () => ({ cards: [] }) })
  const saved: Blob[] = []
  const createUrl = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${saved.push(file as Blob)}`)
  const names: string[] = []
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download)
  })
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Letterboxd' }))

  expect(await screen.findByText('The file is in your downloads.')).toBeTruthy()
  expect(api.callsOf('exportWatchlist')[0]?.request.query.get('format')).toBe('letterboxd')
  expect(names).toEqual(['Watchlist w1 for Letterboxd.csv'])
  expect(await saved[0]?.text()).toBe('{"cards":[]}')
  createUrl.mockRestore()
  click.mockRestore()
})

test('an export that fails says so, and a guest sees none', async () => {
  fakeApi({ exportWatchlist: () => new Refusal(404, 'NOT_FOUND', 'Resource not found') })
  const { unmount } = await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember onGone={() => {}} />)

  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Table' }))

  expect((await screen.findByRole('alert')).textContent).toContain('The watchlist could not be exported.')
  unmount()
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="" isMember={false} onGone={() => {}} />)
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
})

test('the link to the movie nights of a member says that one is open', async () => {
  await renderPart(<InfoPanel watchlist={aWatchlist()} username="Ana" isMember isNightOpen onGone={() => {}} />)

  expect(screen.getByRole('link', { name: 'Movie night: on now' })).toBeTruthy()
})

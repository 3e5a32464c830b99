import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'

import { ExportSection } from './export-section.tsx'

tidyUp()

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
  await renderPart(<ExportSection watchlist={aWatchlist()} />)

  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Letterboxd' }))

  expect(await screen.findByText('The file is in your downloads.')).toBeTruthy()
  expect(api.callsOf('exportWatchlist')[0]?.request.query.get('format')).toBe('letterboxd')
  expect(names).toEqual(['Watchlist w1 for Letterboxd.csv'])
  expect(await saved[0]?.text()).toBe('{"cards":[]}')
  createUrl.mockRestore()
  click.mockRestore()
})

test('a failed export shows an error', async () => {
  fakeApi({ exportWatchlist: () => new Refusal(404, 'NOT_FOUND', 'Resource not found') })
  await renderPart(<ExportSection watchlist={aWatchlist()} />)

  await userEvent.click(screen.getByRole('button', { name: 'Export' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Table' }))

  expect((await screen.findByRole('alert')).textContent).toContain('The watchlist could not be exported.')
})

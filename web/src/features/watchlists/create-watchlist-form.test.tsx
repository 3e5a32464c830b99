import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { CreateWatchlistForm } from './create-watchlist-form.tsx'

tidyUp()

test('a refused watchlist shows the reason of the server and keeps what was typed', async () => {
  fakeApi({ createWatchlist: () => new Refusal(400, 'BAD_REQUEST', 'You cannot have more than 200 watchlists') })
  await renderPart(<CreateWatchlistForm onCreated={() => {}} />)
  const name = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })
  await userEvent.type(name, 'Friday film club')

  await userEvent.click(screen.getByRole('button', { name: 'Create watchlist' }))

  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(
    'Failed to create watchlist. Please try again.You cannot have more than 200 watchlists',
  )
  expect(name.value).toBe('Friday film club')
})

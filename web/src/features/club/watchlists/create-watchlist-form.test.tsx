import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi, type FakeAnswers, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aWatchlist } from '#web/testing/samples.ts'
import { WITHIN } from '#web/testing/within.ts'

import { CreateWatchlistForm } from './create-watchlist-form.tsx'
import { useAddJoined } from './creation-mutations.ts'
import { currentWatchlist } from './queries.ts'

tidyUp()

async function openForm(createWatchlist: NonNullable<FakeAnswers['createWatchlist']>) {
  const api = fakeApi({ createWatchlist })
  await renderPart(<CreateWatchlistForm onCreated={() => {}} />)
  return {
    name: screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' }),
    description: screen.getByRole<HTMLInputElement>('textbox', { name: 'Description' }),
    submit: async () => userEvent.click(screen.getByRole('button', { name: 'Create watchlist' })),
    bodies: () => api.callsOf('createWatchlist').map(({ request }) => request.body),
  }
}

/** Pasting is faster than typing long texts. */
async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field)
  await userEvent.click(field)
  if (text !== '') await userEvent.paste(text)
}

test.each([
  ['Watchlist name is required', 'Name', '', ''],
  ['Watchlist name is required', 'Name', '   ', ''],
  ['A name has at most 120 characters', 'Name', 'x'.repeat(121), ''],
  ['A description has at most 2000 characters', 'Description', 'Film club', 'x'.repeat(2001)],
])(
  'the error "%s" is shown at the field %s until it is corrected, and nothing is sent',
  async (error, label, name, description) => {
    const form = await openForm(() => aWatchlist())
    await fill(form.name, name)
    await fill(form.description, description)

    await form.submit()

    expect((await screen.findByRole('alert')).textContent).toBe(error)
    const field = screen.getByRole('textbox', { name: label })
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(field))
    expect(form.bodies()).toEqual([])

    await fill(field, 'Friday film club')
    expect(screen.queryByRole('alert')).toBeNull()
  },
)

test('a name of 120 and a description of 2000 characters are sent', async () => {
  const form = await openForm(() => aWatchlist())
  await fill(form.name, 'x'.repeat(120))
  await fill(form.description, 'y'.repeat(2000))

  await form.submit()

  await expect.poll(form.bodies).toEqual([{ name: 'x'.repeat(120), description: 'y'.repeat(2000) }])
})

test('a refused watchlist shows the server’s reason and keeps the typed name', async () => {
  const form = await openForm(() => new Refusal(400, 'BAD_REQUEST', 'You cannot have more than 200 watchlists'))
  await fill(form.name, 'Friday film club')

  await form.submit()

  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe(
    'Failed to create watchlist. Please try again.You cannot have more than 200 watchlists',
  )
  expect(form.name.value).toBe('Friday film club')
})

test('a first watchlist becomes current even if its form closes before the server answers', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  fakeApi({
    createWatchlist: async () => {
      await answered
      return aWatchlist('w1')
    },
  })
  const { client, unmount } = await renderPart(<CreateWatchlistForm onCreated={() => {}} />)
  client.setQueryData(currentWatchlist().queryKey, null)
  await fill(screen.getByRole('textbox', { name: 'Name' }), 'Film club')
  await userEvent.click(screen.getByRole('button', { name: 'Create watchlist' }))

  unmount()
  answer()

  await waitFor(() => expect(client.getQueryData(currentWatchlist().queryKey)).toBe('w1'), WITHIN)
})

test.each([
  ['becomes current if it is the first', null, 'w2'],
  ['leaves another one current', 'w1', 'w1'],
])('a watchlist that the user joins %s', async (_, before, after) => {
  fakeApi({ listWatchlists: () => [aWatchlist('w2')] })
  function Join() {
    const addJoined = useAddJoined()
    return <button type="button" aria-label="Join" onClick={() => addJoined(aWatchlist('w2'))} />
  }
  const { client } = await renderPart(<Join />)
  client.setQueryData(currentWatchlist().queryKey, before)

  await userEvent.click(screen.getByRole('button', { name: 'Join' }))

  expect(client.getQueryData(currentWatchlist().queryKey)).toBe(after)
})

import type { Card } from '@marquee/contract/entities/card'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { SessionContext } from '#web/session/use-session.ts'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, ALIEN } from '#web/testing/samples.ts'

import { MovieSection } from './movie-section.tsx'

tidyUp()

const before = features()
beforeEach(() => setFeatures({ ...before, catalogue: null }))
afterEach(() => {
  setFeatures(before)
  sessionStorage.clear()
})

const FOUND = { title: 'Alien', description: null, posterUrl: 'https://posters.test/alien.jpg', movie: ALIEN }
const LINK = 'https://www.imdb.com/title/tt0078748/'

/** A screen that the user leaves and comes back to with a button. */
function LeftScreen({ children }: { children: ReactNode }) {
  const [isLeft, setLeft] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setLeft(!isLeft)}>
        {'Leave or return'}
      </button>
      {!isLeft && children}
    </>
  )
}

async function leaveAndReturn() {
  await userEvent.click(screen.getByRole('button', { name: 'Leave or return' }))
  await userEvent.click(screen.getByRole('button', { name: 'Leave or return' }))
  await screen.findByRole('article', { name: 'Alien' })
}

/** Ben's screen of a watchlist with one card. */
async function openSection(answers: FakeAnswers = {}, isPhone = true) {
  const api = fakeApi({
    listCards: () => ({ cards: [aCard('c7', 'WATCHED', { title: 'Alien' })], nextToken: null }),
    countSuggestedCards: () => ({ count: 0 }),
    ...answers,
  })
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  const { unmount } = await renderPart(
    <SessionContext value={session}>
      <LeftScreen>
        <MovieSection watchlistId="w1" username="Ben" isMember isOwner={false} />
      </LeftScreen>
    </SessionContext>,
    { isPhone },
  )
  await screen.findByRole('article', { name: 'Alien', hidden: true })
  return { api, leave: unmount }
}

const toggle = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Add a movie', hidden: true })
const form = async () => screen.findByRole('form', { name: 'Add a movie' })
const isOpen = () => screen.queryByRole('form', { name: 'Add a movie' }) !== null
const title = async () => within(await form()).getByRole<HTMLInputElement>('textbox', { name: 'Title' })
const cancelEvent = () => new Event('cancel', { cancelable: true })

test.each([
  ['the close button', async () => userEvent.click(screen.getByRole('button', { name: 'Close' }))],
  ['Escape, or the back gesture of a phone', async () => fireEvent(screen.getByRole('dialog'), cancelEvent())],
  ['a press outside', async () => userEvent.click(screen.getByRole('dialog'))],
])('%s closes the form, which keeps its text and stays closed after a return', async (_, close) => {
  const { leave } = await openSection()
  await userEvent.click(toggle())
  await userEvent.type(await title(), 'Yi Yi')

  await close()
  expect(isOpen()).toBe(false)
  leave()
  await openSection()
  expect(isOpen()).toBe(false)

  await userEvent.click(toggle())
  expect((await title()).value).toBe('Yi Yi')
})

test('Cancel closes the form and discards its text', async () => {
  await openSection()
  await userEvent.click(toggle())
  await userEvent.type(await title(), 'Yi Yi')

  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(isOpen()).toBe(false)

  await userEvent.click(toggle())
  expect((await title()).value).toBe('')
})

test('a form that was open is open again after a reload', async () => {
  const { leave } = await openSection()
  await userEvent.click(toggle())
  await userEvent.type(await title(), 'Yi Yi')
  leave()

  await openSection()

  expect((await title()).value).toBe('Yi Yi')
})

test.each([true, false])(
  'the form stays open until the server has accepted or refused the movie (on a phone: %s)',
  async (isPhone) => {
    const { promise: reply, resolve: answer } = Promise.withResolvers<Card | Refusal>()
    await openSection({ addCard: async () => reply }, isPhone)
    await userEvent.click(toggle())
    await userEvent.type(await title(), 'Yi Yi')
    await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/a.png')

    await userEvent.click(screen.getByRole('button', { name: 'Add to watchlist' }))
    const ways = [screen.getByRole<HTMLButtonElement>('button', { name: 'Close' }), toggle()]
    await waitFor(() => expect(ways.map(({ disabled }) => disabled)).toEqual([true, true]))
    if (isPhone) fireEvent(screen.getByRole('dialog'), cancelEvent())
    answer(new Refusal(400, 'BAD_REQUEST', 'The image could not be read'))

    await screen.findByText('The image could not be read')
    expect(ways.map(({ disabled }) => disabled)).toEqual([false, false])
    expect((await title()).value).toBe('Yi Yi')
  },
)

test('the link to a movie in the feed moves the focus to its card, and both forms keep their text', async () => {
  setFeatures({ ...before, catalogue: 'wikidata' })
  await openSection({
    readCatalogueLink: () => FOUND,
    matchMovie: () => ({
      inFeed: { cardId: 'c7', status: 'WATCHED', statusChangedAt: '2025-03-14T20:00:00.000Z' },
      isInBox: false,
    }),
  })
  const card = () => screen.getByRole('article', { name: 'Alien' })
  await userEvent.click(toggle())
  await within(await form()).findByRole('combobox')
  await userEvent.paste(LINK)
  await userEvent.click(await screen.findByRole('link', { name: 'In the feed, watched in March 2025' }))
  await waitFor(() => expect(document.activeElement).toBe(card()))
  expect(isOpen()).toBe(false)

  await userEvent.click(toggle())
  await userEvent.click(await screen.findByRole('button', { name: 'Change details' }))
  await userEvent.type(await title(), ' again')
  await userEvent.click(await screen.findByRole('link', { name: 'In the feed, watched in March 2025' }))
  await waitFor(() => expect(document.activeElement).toBe(card()))
  expect(isOpen()).toBe(false)

  await userEvent.click(toggle())
  expect((await title()).value).toBe('Alien again')
})

test('the form is closed and empty for a user who leaves and returns while a movie is being sent', async () => {
  const { promise: reply, resolve: answer } = Promise.withResolvers<Card>()
  const { api } = await openSection({ addCard: async () => reply }, false)
  await userEvent.click(toggle())
  await userEvent.type(await title(), 'Yi Yi')
  await userEvent.type(screen.getByRole('textbox', { name: 'Image URL' }), 'https://example.org/a.png')
  await userEvent.click(screen.getByRole('button', { name: 'Add to watchlist' }))
  await waitFor(() => expect(api.callsOf('addCard')).toHaveLength(1))

  await leaveAndReturn()
  expect(isOpen()).toBe(false)
  await userEvent.click(toggle())
  expect((await title()).value).toBe('')
  answer(aCard('c9', 'SUGGESTED'))
})

test('the form stays closed if a movie is added after the user left', async () => {
  setFeatures({ ...before, catalogue: 'wikidata' })
  const { promise: reply, resolve: answer } = Promise.withResolvers<Card>()
  const { api } = await openSection(
    {
      readCatalogueLink: () => FOUND,
      matchMovie: () => ({ inFeed: null, isInBox: false }),
      addCard: async () => reply,
    },
    false,
  )
  await userEvent.click(toggle())
  await within(await form()).findByRole('combobox')
  await userEvent.paste(LINK)
  await userEvent.click(await screen.findByRole('button', { name: 'Add to the box' }))
  await waitFor(() => expect(api.callsOf('addCard')).toHaveLength(1))

  await leaveAndReturn()
  expect(isOpen()).toBe(false)
  answer(aCard('c9', 'SUGGESTED', { title: 'Alien' }))
  await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]))

  await leaveAndReturn()
  expect(isOpen()).toBe(false)
})

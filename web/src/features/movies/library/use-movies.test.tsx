import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'

import { SessionContext } from '#web/session/use-session.ts'
import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { withPage } from './outline.ts'
import { useMovies } from './use-movies.ts'

tidyUp()
beforeEach(() => sessionStorage.clear())

const QUERY = { sort: 'changed' as const }
const outlineOf = (...pages: [count: number, nextToken: string | null][]) => ({
  pages: pages.map(([count, nextToken]) => ({ query: QUERY, count, nextToken })),
  pageParams: [undefined, ...pages.slice(0, -1).map(([, nextToken]) => nextToken)],
})

test('the next page starts where the changed page before it ends', () => {
  const before = outlineOf([2, 'b'], [2, 'd'], [2, 'f'])
  const cards = [aCard('new'), aCard('a')]

  expect(withPage(before, undefined, { cards, nextToken: 'a' })).toEqual(outlineOf([2, 'a'], [2, 'd'], [2, 'f']))
  expect(withPage(before, 'b', { cards: cards.slice(1), nextToken: 'd' })).toEqual(
    outlineOf([2, 'b'], [1, 'd'], [2, 'f']),
  )
  expect(withPage(before, 'b', { cards, nextToken: null })).toEqual(outlineOf([2, 'b'], [2, null]))
  expect(withPage(before, 'd', { cards, nextToken: 'f' })).toBe(before)
  expect(withPage(before, 'unknown', { cards, nextToken: 'f' })).toBe(before)
})

/** A server with pages of two movies, `last` pages in all. */
function aLibrary(last: number) {
  const state = { isBroken: false }
  const api = fakeApi({
    listLibrary: ({ query }) => {
      if (state.isBroken) return new Refusal(400, 'BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
      const page = Number(query.get('nextToken') ?? 1)
      return { cards: [aCard(`${page}a`), aCard(`${page}b`)], nextToken: page === last ? null : String(page + 1) }
    },
  })
  /** The pages that were requested since the last question. */
  let seen = 0
  const requested = () => {
    const calls = api.callsOf('listLibrary').slice(seen)
    seen += calls.length
    return calls.map(({ request }) => request.query.get('nextToken') ?? '1')
  }
  return { state, requested }
}

function Movies({ start }: { start: number }) {
  const [at, scrollTo] = useState(start)
  const { cards, offset, count, hasMore, loadMore, error, retry } = useMovies('w1', QUERY, { first: at, last: at + 1 })
  return (
    <>
      <output>{`${count} movies${hasMore ? ' and more' : ''}`}</output>
      <p>{`From ${offset}: ${cards.map((card) => card?.title ?? 'Loading').join(', ')}`}</p>
      <button type="button" onClick={loadMore}>
        {'More'}
      </button>
      <button type="button" onClick={() => scrollTo((count ?? 1) - 1)}>
        {'To the end'}
      </button>
      <button type="button" onClick={() => scrollTo(0)}>
        {'To the top'}
      </button>
      {error !== null && (
        <button type="button" onClick={retry}>
          {'Try again'}
        </button>
      )}
    </>
  )
}

/** Opens the list with the movie at this place on the screen, as after a reload. */
async function openAt(at: number) {
  const session = aSession({ userId: 'ana', username: 'Ana', loginId: 'ana' })
  await session.refresh()
  return renderPart(
    <SessionContext value={session}>
      <Movies start={at} />
    </SessionContext>,
  )
}

const press = async (name: string) => userEvent.click(screen.getByRole('button', { name }))
const found = async (text: string) => screen.findByText(text, { selector: 'output' })
const list = async (text: string) => screen.findByText(text, { selector: 'p' })

async function loadPages(count: number) {
  await found('2 movies and more')
  for (let page = 2; page <= count; page += 1) {
    await press('More')
    await found(`${page * 2} movies and more`)
  }
}

test('the movies of far pages are dropped, and loaded again when the user scrolls back', async () => {
  const { requested } = aLibrary(99)
  await openAt(0)
  await loadPages(24)
  await press('To the end')
  await list('From 44: Movie 23a, Movie 23b, Movie 24a, Movie 24b')
  requested()

  await press('To the top')

  expect(screen.getByText('48 movies and more')).toBeDefined()
  expect(await list('From 0: Movie 1a, Movie 1b, Movie 2a, Movie 2b')).toBeDefined()
  expect(requested()).toEqual(['1', '2'])
})

test('empty pages are skipped until there is a movie', async () => {
  const pages: Readonly<Record<string, string>> = { 1: '2', 2: '3' }
  const api = fakeApi({
    listLibrary: ({ query }) => {
      const page = query.get('nextToken') ?? '1'
      return { cards: page === '3' ? [aCard('3a')] : [], nextToken: pages[page] ?? null }
    },
  })

  await openAt(0)

  await found('1 movies')
  expect(await list('From 0: Movie 3a')).toBeDefined()
  expect(api.callsOf('listLibrary')).toHaveLength(3)
})

/** Leaves the page as a reload does. */
function leave({ unmount }: { unmount: () => void }) {
  fireEvent(globalThis as unknown as Window, new Event('pagehide'))
  unmount()
}

test('a reload keeps the length of the list, and loads only the pages near the screen', async () => {
  const { requested } = aLibrary(99)
  const before = await openAt(0)
  await loadPages(7)
  leave(before)
  requested()

  await openAt(8)

  expect(screen.getByText('14 movies and more')).toBeDefined()
  expect(await list('From 6: Movie 4a, Movie 4b, Movie 5a, Movie 5b, Movie 6a, Movie 6b')).toBeDefined()
  expect(requested()).toEqual(['4', '5', '6'])
})

test('the list is not stored when the user only leaves it', async () => {
  aLibrary(99)
  const { unmount } = await openAt(0)
  await loadPages(2)

  unmount()

  expect(sessionStorage).toHaveLength(0)
})

test('a stored list that the server rejects is replaced on retry', async () => {
  const { state } = aLibrary(99)
  const before = await openAt(0)
  await loadPages(4)
  leave(before)
  state.isBroken = true
  await openAt(6)

  const retry = await screen.findByRole('button', { name: 'Try again' })
  state.isBroken = false
  await userEvent.click(retry)

  expect(await found('2 movies and more')).toBeDefined()
  expect(await list('From 0: Movie 1a, Movie 1b')).toBeDefined()
})

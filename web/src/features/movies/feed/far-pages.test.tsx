import { act, screen, waitFor, within } from '@testing-library/react'
import { useRef } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { focusCard } from '../card/focus-card.ts'
import { useFarPages } from './far-pages.ts'

tidyUp()

const PAGES = [['a'], ['b', 'c'], ['d']]
/** Where cards are that are not near the screen, in pixels from its top. */
const tops = new Map<string, number>()

let report: (entries: Pick<IntersectionObserverEntry, 'target' | 'isIntersecting'>[]) => void
class Observer {
  constructor(callback: typeof report) {
    report = callback
  }
  observe(): void {}
  disconnect(): void {}
}

beforeEach(() => {
  tops.clear()
  vi.stubGlobal('IntersectionObserver', Observer)
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function box(this: Element) {
    return new DOMRect(0, tops.get(this.textContent) ?? 0, 300, 400)
  })
})

function Feed({ feed }: { feed?: object }) {
  const list = useRef<HTMLUListElement>(null)
  const far = useFarPages(list, PAGES, feed)
  return (
    <ul ref={list}>
      {PAGES.map((cards, page) =>
        far.has(page) ? (
          <li
            key={`page ${cards.join('')}`}
            data-page={page}
            data-cards={cards.join(' ')}
            style={{ height: far.get(page) }}
          />
        ) : (
          cards.map((id) => (
            <li key={id} data-page={page}>
              <button type="button" id={`card-${id}`}>
                {id}
              </button>
            </li>
          ))
        ),
      )}
    </ul>
  )
}

const cards = () => screen.getAllByRole('button').map(({ textContent }) => textContent)
const items = (page: number) =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .filter(({ dataset }) => dataset['page'] === String(page))

async function reportAs(isIntersecting: boolean, page: number) {
  await act(async () => report(items(page).map((target) => ({ target, isIntersecting }))))
}

test('a page far from the screen is replaced by an empty space of the same height, and returns when near', async () => {
  await renderPart(<Feed />)
  tops.set('b', -7_000)
  tops.set('c', -6_600)

  await reportAs(false, 1)
  expect(cards()).toEqual(['a', 'd'])
  expect(items(1).map(({ style }) => style.height)).toEqual(['800px'])

  await reportAs(true, 1)
  expect(cards()).toEqual(['a', 'b', 'c', 'd'])
})

test('far pages stay out of the document when the user returns to the feed', async () => {
  const feed = {}
  const { unmount } = await renderPart(<Feed feed={feed} />)
  tops.set('d', 9_000)
  await reportAs(false, 2)
  unmount()

  const another = await renderPart(<Feed feed={{}} />)
  expect(cards()).toEqual(['a', 'b', 'c', 'd'])
  another.unmount()
  await renderPart(<Feed feed={feed} />)

  expect(cards()).toEqual(['a', 'b', 'c'])
  expect(items(2).map(({ style }) => style.height)).toEqual(['400px'])
})

test('the first page, a page that reaches into view, and a page with the focus are not removed', async () => {
  await renderPart(<Feed />)
  for (const id of ['a', 'b', 'd']) tops.set(id, -9_000)
  screen.getByRole('button', { name: 'd' }).focus()

  for (const page of [0, 1, 2]) await reportAs(false, page)

  expect(cards()).toEqual(['a', 'b', 'c', 'd'])
})

test('focusing a card of a far page scrolls to the page and then focuses the card', async () => {
  await renderPart(<Feed />)
  tops.set('d', 9_000)
  await reportAs(false, 2)
  const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => {})

  focusCard('d')
  expect(scrolled.mock.contexts).toEqual(items(2))
  await reportAs(true, 2)

  await waitFor(() => expect(document.activeElement?.textContent).toBe('d'))
})

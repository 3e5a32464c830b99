import { cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Link, Outlet, useNavigate } from 'react-router'
import { beforeEach, expect, test, vi } from 'vitest'

import { openApp } from '#web/testing/open-app.tsx'
import { tidyUp } from '#web/testing/render-part.tsx'

import { useScrollRestoration } from './use-scroll-restoration.ts'

tidyUp()

let scrolledTo: number | string
/** The page became longer. */
let grow: () => void

class Observer {
  constructor(callback: () => void) {
    grow = callback
  }
  observe(): void {}
  disconnect(): void {
    grow = () => {}
  }
}

beforeEach(() => {
  scrolledTo = 'nowhere'
  grow = () => {}
  vi.stubGlobal('ResizeObserver', Observer)
  vi.stubGlobal('scrollTo', (_x: number, y: number) => (scrolledTo = y))
  Element.prototype.scrollIntoView = function scrollIntoView(this: Element) {
    scrolledTo = this.id
  }
})

function Frame() {
  const navigate = useNavigate()
  useScrollRestoration()
  return (
    <>
      <Link to="/two">{'To two'}</Link>
      <Link to="/two#end">{'To the end of two'}</Link>
      <button type="button" onClick={() => void navigate(-1)}>
        {'Back'}
      </button>
      <Outlet />
      <p id="end">{'The end'}</p>
    </>
  )
}

async function openAt(path: string) {
  const children = [
    { path: '/one', element: 'Page one' },
    { path: '/two', element: 'Page two' },
  ]
  await openApp([{ element: <Frame />, children }], path)
}

function scrollBy(position: number) {
  vi.stubGlobal('scrollY', position)
  fireEvent.scroll(globalThis as unknown as Window)
}

test('a new page starts at the top, and going back restores the scroll position', async () => {
  await openAt('/one')
  scrollBy(640)

  await userEvent.click(screen.getByRole('link', { name: 'To two' }))
  expect(await screen.findByText('Page two')).toBeDefined()
  expect(scrolledTo).toBe(0)

  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(await screen.findByText('Page one')).toBeDefined()
  expect(scrolledTo).toBe(640)
})

test('a different page opened by its address starts at the top', async () => {
  await openAt('/one')
  scrollBy(640)
  cleanup()

  await openAt('/two')

  expect(await screen.findByText('Page two')).toBeDefined()
  expect(scrolledTo).toBe(0)
})

test('a link with a hash scrolls to its target', async () => {
  await openAt('/one')

  await userEvent.click(screen.getByRole('link', { name: 'To the end of two' }))

  expect(await screen.findByText('Page two')).toBeDefined()
  expect(scrolledTo).toBe('end')
})

test('the scroll position is restored when the page becomes long enough, unless the user scrolls', async () => {
  await openAt('/one')
  scrollBy(640)
  await userEvent.click(screen.getByRole('link', { name: 'To two' }))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))

  // The page is short, so the browser stops at its end.
  scrollBy(90)
  scrolledTo = 'nowhere'
  grow()
  expect(scrolledTo).toBe(640)

  fireEvent.wheel(globalThis as unknown as Window)
  scrolledTo = 'nowhere'
  grow()
  expect(scrolledTo).toBe('nowhere')
})

import { QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { afterEach, vi } from 'vitest'

import { createQueryClient } from '#web/api/query-client.ts'
import '#web/features/movies/lazy-texts.ts'
import { loadMenu } from '#web/ui/menu.tsx'

import { showModalDialogs } from './modal-dialogs.ts'

/** What jsdom has no layout for. Nothing is ever seen there, unless a test says so through `onObserve`. */
class NoObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** The queries notify each other in a turn of their own. A refusal that reads again takes two. */
const TURNS_LEFT = 3

/** Undoes what a test rendered and replaced. Call once in each test file. */
export function tidyUp(): void {
  afterEach(async () => {
    vi.useRealTimers()
    cleanup()
    // Work that is left asks now, and not the API of the next test. It gets no answer: after an error it would ask again.
    vi.stubGlobal('fetch', async () => await new Promise(() => undefined))
    for (let turn = 0; turn < TURNS_LEFT; turn += 1) await new Promise((resolve) => setTimeout(resolve))
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    localStorage.clear()
  })
}

/** Renders a part of a screen, wide unless it is a phone's, with texts, an empty cache and a router around it. */
export async function renderPart(part: ReactNode, { isPhone = false, at = '/' } = {}) {
  await loadMenu()
  showModalDialogs()
  vi.stubGlobal('ResizeObserver', NoObserver)
  vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: isPhone }))
  if (!('IntersectionObserver' in globalThis)) vi.stubGlobal('IntersectionObserver', NoObserver)
  Element.prototype.scrollIntoView = () => {}
  const client = createQueryClient()
  const view = render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[at]}>{part}</MemoryRouter>
    </QueryClientProvider>,
  )
  return { ...view, client }
}

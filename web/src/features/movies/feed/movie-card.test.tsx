import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'

import { SessionContext } from '#web/session/use-session.ts'
import { aSession } from '#web/testing/open-app.tsx'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { MovieCard } from './movie-card.tsx'

tidyUp()
afterEach(() => sessionStorage.clear())

const CONTEXT = {
  username: 'Ben',
  isMember: false,
  isOwner: false,
  onMove: () => {},
  claimsFocus: () => false,
  onDeleted: () => {},
  onFocusLost: () => {},
}

test('a card reads its stored drafts once, and its comments read theirs once', async () => {
  const session = aSession({ userId: 'ben', username: 'Ben', loginId: 'ben' })
  await session.refresh()
  const read = vi.spyOn(Storage.prototype, 'getItem')
  await renderPart(
    <SessionContext value={session}>
      <MovieCard card={aCard('c1', 'WATCHED')} context={CONTEXT} isRow moveFailure={undefined} />
    </SessionContext>,
  )
  const drafts = () => read.mock.calls.filter(([key]) => key.startsWith('marquee.draft.')).length
  const before = drafts()

  await userEvent.click(screen.getByRole('button', { name: 'Movie c1', expanded: false }))
  await userEvent.click(screen.getByRole('button', { name: 'Fold Movie c1' }))
  await userEvent.click(screen.getByRole('button', { name: 'Movie c1', expanded: false }))
  await userEvent.click(screen.getByRole('button', { name: 'Fold Movie c1' }))

  expect([before, drafts() - before]).toEqual([2, 2])
})

import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { MovieSection } from '../section/movie-section.tsx'

tidyUp()

async function openFeed(wantedBy: string[]) {
  fakeApi({
    listCards: () => ({ cards: [aCard('a', 'REVEALED', { wantedBy })], nextToken: null }),
  })
  await renderPart(<MovieSection watchlistId="w1" username="Ben" isMember={false} isOwner={false} />)
  await screen.findByRole('article')
}

test('a card names the others who wanted it', async () => {
  await openFeed(['Ana', 'Ben', 'Cleo'])

  expect(await screen.findByText('Ben and Cleo wanted this too')).toBeTruthy()
})

test('a card names five of many, and counts the rest', async () => {
  await openFeed(['Ana', 'Ben', 'Cleo', 'Dora', 'Eve', 'Fred', 'Gus', 'Hana'])

  expect(await screen.findByText('Ben, Cleo, Dora, Eve, Fred, and 2 others wanted this too')).toBeTruthy()
  expect(screen.getByText('+2')).toBeTruthy()
})

test('a card that only its creator wants does not list who wants it', async () => {
  await openFeed(['Ana'])

  expect(screen.queryByText(/wanted this too/u)).toBeNull()
})

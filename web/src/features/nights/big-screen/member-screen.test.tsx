import '#web/i18n/night-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { aLiveStream } from '#web/testing/live.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anOpenNight } from '#web/testing/samples.ts'

import { nightList } from '../night/night-list.ts'
import { MemberScreen } from './member-screen.tsx'

tidyUp()
// The window of tests has no full screen.
beforeAll(() => void Object.assign(document, { fullscreenElement: null }))

const SHOWN = {
  id: 'n1',
  watchlistId: 'w1',
  watchlistName: 'Friday film club',
  state: 'open',
  place: null,
  joinCode: null,
  present: [],
  isDrawing: false,
  movie: null,
  wasVetoed: false,
  vote: null,
}

/** The screen of the open night of the list. */
function OpenScreen({ username }: { username: string }) {
  const { data } = useQuery(nightList('w1'))
  const night = data?.nights[0]
  return night && <MemberScreen night={night} username={username} onLeave={() => undefined} />
}

test('a member who is not at the night comes to it on the big screen before they draw', async () => {
  let present = ['Ana']
  const api = fakeApi({
    listNights: () => ({ nights: [anOpenNight('w1', present)], unrated: [] }),
    getNightScreen: () => SHOWN,
    arriveAtNight: () => anOpenNight('w1', (present = ['Ana', 'Ben'])),
    watchlistEvents: () => aLiveStream().response,
  })
  await renderPart(<OpenScreen username="ben" />)

  const arrive = await screen.findByRole('button', { name: 'I’m here' })
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['I’m here', 'Leave'])
  await userEvent.click(arrive)

  await screen.findByRole('button', { name: 'Draw a movie' })
  expect(screen.getByRole('button', { name: 'Shortlist of 3' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'I’m here' })).toBeNull()
  expect(api.callsOf('arriveAtNight')).toHaveLength(1)
})

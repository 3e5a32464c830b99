import { useQuery } from '@tanstack/react-query'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'

import '#web/i18n/night-texts.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { anOpenNight } from '#web/testing/samples.ts'

import { GuestEntrance } from './guest-entrance.tsx'
import { nightList } from './night-list.ts'

tidyUp()
afterEach(() => Reflect.deleteProperty(navigator, 'clipboard'))

function Entrance() {
  const { data } = useQuery(nightList('w1'))
  const [night] = data?.nights ?? []
  return night && <GuestEntrance night={night} />
}

test('a new code resets the "Link copied" button', async () => {
  const night = anOpenNight('w1', ['Ben'], { joinCode: 'K7M4QX' })
  fakeApi({
    listNights: () => ({ nights: [night], unrated: [] }),
    renewNightCode: () => ({ ...night, joinCode: 'P2R9TV' }),
  })
  await renderPart(<Entrance />)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => undefined }, configurable: true })
  await userEvent.click(await screen.findByRole('button', { name: 'Invite guests' }))
  await userEvent.click(screen.getByRole('button', { name: 'Copy link' }))
  await screen.findByRole('button', { name: 'Link copied' })

  await userEvent.click(screen.getByRole('button', { name: 'New code' }))
  await screen.findByText('P2R9TV')

  expect(screen.getByRole('button', { name: 'Copy link' })).toBeTruthy()
})

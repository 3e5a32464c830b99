import type { ServerCopy } from '@marquee/contract/entities/media-server'
import { screen } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { MovieDetails } from './movie-details.tsx'

tidyUp()

const HOME: ServerCopy = {
  serverId: 's1',
  kind: 'emby',
  name: 'Home server',
  link: 'https://emby.example/web/index.html#!/item?id=a1',
}

async function show(servers: ServerCopy[]) {
  const before = features()
  setFeatures({ ...before, mediaServers: true })
  onTestFinished(() => setFeatures(before))
  const api = fakeApi({
    listAvailability: () => ({
      cards: [{ cardId: 'c1', streaming: [], paid: [], link: null, servers, havers: [] }],
    }),
  })
  await renderPart(<MovieDetails card={aCard('c1')} onClose={() => {}} />)
  await screen.findByText('On Home server')
  return api
}

test('the details link to the movie on the media server that has it', async () => {
  const api = await show([HOME])

  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open in Emby' })
  expect([link.href, link.target, link.rel]).toEqual([
    'https://emby.example/web/index.html#!/item?id=a1',
    '_blank',
    'noopener noreferrer',
  ])
  expect(api.callsOf('listAvailability')).toHaveLength(1)
})

test('the details have no link if the media server has no address for members', async () => {
  await show([{ ...HOME, link: null }])

  expect(screen.queryByRole('link')).toBeNull()
})

import type { MediaServer } from '@marquee/contract/entities/media-server'
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard } from '#web/testing/samples.ts'

import { ServerMark } from './server-mark.tsx'

tidyUp()

const nothing = () => {}
const AT = '2026-11-24T20:15:00.000Z'
const HOME: MediaServer = {
  serverId: 's1',
  kind: 'jellyfin',
  name: 'Home server',
  state: 'ready',
  fault: null,
  seenAt: AT,
  readAt: AT,
  movies: 12,
  host: null,
  openUrl: null,
}

test('a mark of a server names it and is undone, and none is shown of a server that is gone', async () => {
  const api = fakeApi({
    listMediaServers: () => ({ servers: [HOME] }),
    deleteViewing: () => undefined,
  })
  await renderPart(
    <>
      <ServerMark card={aCard('c1')} serverId="s1" onUndone={nothing} />
      <ServerMark card={aCard('c2')} serverId="gone" onUndone={nothing} />
    </>,
  )
  expect(await screen.findByText('Marked by Home server')).toBeDefined()

  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))

  await waitFor(() => expect(api.callsOf('deleteViewing')).toHaveLength(1))
  expect(screen.getAllByRole('button')).toHaveLength(1)
})

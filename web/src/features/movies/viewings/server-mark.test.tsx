import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'

import { fakeApi } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { aCard, HOME_SERVER } from '#web/testing/samples.ts'

import { ServerMark } from './server-mark.tsx'

tidyUp()

const nothing = () => {}

test('a mark by a media server names it and can be undone, and is hidden if the server is gone', async () => {
  const api = fakeApi({
    listMediaServers: () => ({ servers: [HOME_SERVER] }),
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

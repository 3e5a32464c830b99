import '#web/i18n/night-texts.ts'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'

import { fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'

import { Tv } from './tv.tsx'

tidyUp()

test('a disconnected television shows a new code', async () => {
  const codes = ['AAAA', 'BBBB', 'CCCC']
  const api = fakeApi({
    requestScreen: () => ({ code: codes.shift(), secret: 'a secret', expiresAt: '2026-03-02T20:20:00.000Z' }),
    findScreenPass: ({ body }) => ({
      pass: (body as { code: string }).code === 'AAAA' ? { nightId: 'n1', screenId: 's1', token: 'a token' } : null,
    }),
    getNightScreen: () => new Refusal(401, 'UNAUTHORIZED', 'This screen was disconnected'),
    nightEvents: () => new Refusal(401, 'UNAUTHORIZED', 'This screen was disconnected'),
  })
  await renderPart(<Tv />)

  await waitFor(() => expect(api.callsOf('getNightScreen').length).toBeGreaterThan(0))
  expect(await screen.findByText('BBBB')).toBeDefined()
  await waitFor(() => expect(api.callsOf('findScreenPass').at(-1)?.request.body).toMatchObject({ code: 'BBBB' }))
  expect(screen.getByText('BBBB')).toBeDefined()
  expect(api.callsOf('requestScreen')).toHaveLength(2)
})

import { screen } from '@testing-library/react'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { refusal, startUserPool } from '#web/testing/user-pool.ts'

import { EmailSection } from './email-section.tsx'
import { AppSetup } from './second-factor-section.tsx'

let pool: Awaited<ReturnType<typeof startUserPool>>
beforeAll(async () => {
  pool = await startUserPool(() => refusal('InternalErrorException', 'Something went wrong.'))
})
afterAll(() => pool.stop())
tidyUp()

test('a failure to read the address is shown and can be retried', async () => {
  await renderPart(<EmailSection />)
  expect((await screen.findByRole('alert')).textContent).toContain('Your e-mail could not be loaded.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('a failure to begin the set-up is shown and can be retried', async () => {
  await renderPart(<AppSetup username="Ana" onTurnedOn={() => {}} onClosed={() => {}} />)
  expect((await screen.findByRole('alert')).textContent).toContain('User needs to be authenticated to call this API.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

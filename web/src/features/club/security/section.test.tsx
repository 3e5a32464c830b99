import { act, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { signInWithTicket } from '#web/account/identity.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { refusal, startUserPool } from '#web/testing/user-pool.ts'

import { EmailSection } from './email-section.tsx'
import { AppSetup } from './second-factor-section.tsx'

let pool: Awaited<ReturnType<typeof startUserPool>>
/** What the pool gives an authenticator app, one secret after another. */
const secrets: string[] = []
beforeAll(async () => {
  pool = await startUserPool(({ operation }) => {
    if (operation === 'AssociateSoftwareToken') return { status: 200, body: { SecretCode: secrets.shift() } }
    if (!operation.endsWith('Challenge') && operation !== 'InitiateAuth')
      return refusal('InternalErrorException', 'Something went wrong.')
    const AuthenticationResult = { IdToken: aToken(), AccessToken: aToken(), RefreshToken: 'r', TokenType: 'Bearer' }
    return { status: 200, body: { AuthenticationResult } }
  })
})
afterAll(() => pool.stop())
afterEach(() => localStorage.clear())
tidyUp()

/** A token of Ana that ends in 2100. */
function aToken(): string {
  const claims = { sub: 'u1', 'cognito:username': 'Ana', exp: 4_102_444_800, iat: 1_764_000_000 }
  return ['{"alg":"none"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

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

test('a set-up that begins does not show the secret of the one before', async () => {
  function Again() {
    const [count, setCount] = useState(1)
    return (
      <>
        <button type="button" aria-label="Again" onClick={() => setCount(count + 1)} />
        <AppSetup key={count} username="Ana" onTurnedOn={() => {}} onClosed={() => {}} />
      </>
    )
  }
  expect(await signInWithTicket('ana@example.org', 'ticket')).toBe('done')
  secrets.push('ABCD', 'EFGH')
  await renderPart(<Again />)
  await screen.findByText('ABCD')

  act(() => screen.getByRole('button', { name: 'Again' }).click())

  expect(screen.queryByText('ABCD')).toBeNull()
  expect(await screen.findByText('EFGH')).toBeDefined()
})

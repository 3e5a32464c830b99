import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

import { signInWithTicket } from '#web/account/identity.ts'
import { renderPart, tidyUp } from '#web/testing/render-part.tsx'
import { type PoolAnswer, refusal, startUserPool } from '#web/testing/user-pool.ts'

import { EmailSection } from './email-section.tsx'
import { AppSetup } from './second-factor-section.tsx'

let pool: Awaited<ReturnType<typeof startUserPool>>
/** What the pool gives an authenticator app, one secret after another. */
const secrets: string[] = []
/** What the pool answers besides, by operation. */
let answers: Record<string, PoolAnswer> = {}
beforeAll(async () => {
  pool = await startUserPool(({ operation }) => {
    if (operation === 'AssociateSoftwareToken') return { status: 200, body: { SecretCode: secrets.shift() } }
    const answer = answers[operation]
    if (answer !== undefined) return answer
    if (!operation.endsWith('Challenge') && operation !== 'InitiateAuth')
      return refusal('InternalErrorException', 'Something went wrong.')
    const AuthenticationResult = { IdToken: aToken(), AccessToken: aToken(), RefreshToken: 'r', TokenType: 'Bearer' }
    return { status: 200, body: { AuthenticationResult } }
  })
})
afterAll(() => pool.stop())
afterEach(() => {
  localStorage.clear()
  answers = {}
})
tidyUp()

/** A token of Ana that ends in 2100. */
function aToken(): string {
  const claims = { sub: 'u1', 'cognito:username': 'Ana', exp: 4_102_444_800, iat: 1_764_000_000 }
  return ['{"alg":"none"}', JSON.stringify(claims), 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

test('a failure to load the e-mail address is shown and can be retried', async () => {
  await renderPart(<EmailSection />)
  expect((await screen.findByRole('alert')).textContent).toContain('Your e-mail could not be loaded.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('a failure to start the app set-up is shown and can be retried', async () => {
  await renderPart(<AppSetup username="Ana" onTurnedOn={() => {}} onClosed={() => {}} />)
  expect((await screen.findByRole('alert')).textContent).toContain('User needs to be authenticated to call this API.')
  expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined()
})

test('a new set-up does not show the secret of the previous one', async () => {
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

test('a new address shows the failure of the last press, and a new code clears the code field', async () => {
  const sent = { AttributeName: 'email', DeliveryMedium: 'EMAIL', Destination: 'n***' }
  answers = {
    GetUser: { status: 200, body: { Username: 'Ana', UserAttributes: [{ Name: 'email', Value: 'ana@example.org' }] } },
    UpdateUserAttributes: { status: 200, body: { CodeDeliveryDetailsList: [sent] } },
    VerifyUserAttribute: refusal('CodeMismatchException', 'Invalid verification code provided, please try again.'),
    GetUserAttributeVerificationCode: refusal(
      'LimitExceededException',
      'Attempt limit exceeded, please try after some time.',
    ),
  }
  expect(await signInWithTicket('ana@example.org', 'ticket')).toBe('done')
  await renderPart(<EmailSection />)
  await userEvent.click(await screen.findByRole('button', { name: 'Change e-mail' }))
  await userEvent.type(screen.getByRole('textbox', { name: 'New e-mail' }), 'new@example.org{Enter}')
  const code = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Verification code' })
  const press = async (name: string) => userEvent.click(screen.getByRole('button', { name }))
  const failure = () => screen.queryByRole('alert')?.textContent

  await userEvent.type(code, '123456')
  await press('Confirm')
  await waitFor(() => expect(failure()).toBe('Invalid verification code provided, please try again.'))
  await press('Resend code')
  await waitFor(() => expect(failure()).toBe('Attempt limit exceeded, please try after some time.'))
  expect(code.value).toBe('123456')

  answers['GetUserAttributeVerificationCode'] = { status: 200, body: { CodeDeliveryDetails: sent } }
  await press('Resend code')
  expect(await screen.findByText('A new code is on its way to new@example.org.')).toBeDefined()
  expect([failure(), code.value]).toEqual([undefined, ''])
  await waitFor(() => expect(document.activeElement).toBe(code))
})

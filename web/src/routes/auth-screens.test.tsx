import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'

import { onConfirmed, announceConfirmed } from '#web/account/confirmed-account.ts'
import { to } from '#web/paths.ts'
import { routes } from '#web/app/router.tsx'
import { features, setFeatures } from '#web/config.ts'
import { openApp } from '#web/testing/open-app.tsx'
import { type PoolAnswer, refusal, startUserPool } from '#web/testing/user-pool.ts'

const ACCEPTED: PoolAnswer = { status: 200, body: {} }

/** The answers of the pool to operations. Other operations succeed. */
let answers: Record<string, PoolAnswer>
let pool: Awaited<ReturnType<typeof startUserPool>>

beforeEach(async () => {
  answers = {}
  pool = await startUserPool(({ operation }) => answers[operation] ?? ACCEPTED)
})

afterEach(() => {
  cleanup()
  setFeatures({ ...features(), verification: 'code', registration: 'open', passkeys: false, needsSetup: false })
  vi.unstubAllGlobals()
  pool.stop()
})

function field(name: string): HTMLInputElement {
  const input = document.querySelector<HTMLInputElement>(`input[name=${name}]`)
  if (input === null) throw new Error(`There is no field ${name}`)
  return input
}

/** The error of a field. */
function errorOf(name: string): string | undefined {
  const described = field(name).getAttribute('aria-describedby')?.split(' ') ?? []
  const error = described
    .map((id) => document.querySelector(`[id="${id}"][role=alert]`))
    .find((found) => found !== null)
  return error?.textContent ?? undefined
}

async function fill(values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    await userEvent.clear(field(name))
    if (value !== '') await userEvent.paste(value)
  }
}

/** The pool accepts each password and asks for the code of an app. */
function answerWithSecondStep(): void {
  const challenge = {
    SALT: 'a1b2',
    SRP_B: '7f'.repeat(128),
    SECRET_BLOCK: 'c2VjcmV0',
    USER_ID_FOR_SRP: 'u1',
    USERNAME: 'u1',
  }
  answers['InitiateAuth'] = {
    status: 200,
    body: { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge },
  }
  answers['RespondToAuthChallenge'] = {
    status: 200,
    body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 'session-of-more-than-20', ChallengeParameters: {} },
  }
}

const person = { email: 'ana@example.org', name: ' Ana ', password: 'Passw0rd', confirmPassword: 'Passw0rd' }

// Evidence: wcag-3.3.1, wcag-3.3.3
test('an empty sign-up shows an error at each field and sends nothing', async () => {
  await openApp(routes, to.signup())
  await userEvent.click(await screen.findByRole('button', { name: 'Sign up' }))

  expect(errorOf('name')).toBe('Username is required')
  expect(errorOf('password')).toBe('Password must be at least 8 characters long')
  expect(errorOf('confirmPassword')).toBeUndefined()
  expect(errorOf('email')).toBe('Invalid email address')
  await waitFor(() => expect(document.activeElement).toBe(field('email')))
  expect(pool.requests).toEqual([])
})

test('a sign-up continues to code entry with e-mail and name, and keeps the redirect', async () => {
  answers['SignUp'] = { status: 200, body: { UserConfirmed: false, UserSub: 'u1' } }
  const app = await openApp(routes, to.signup('/watchlists/w1'))
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

  expect(await screen.findByText('We sent a code to ana@example.org.')).toBeDefined()
  expect(app.place()).toBe(to.verify('/watchlists/w1'))
  expect(app.state()).toEqual({ email: 'ana@example.org', name: 'Ana' })
  expect(pool.requests[0]).toMatchObject({
    operation: 'SignUp',
    body: { Username: 'Ana', Password: 'Passw0rd', UserAttributes: [{ Name: 'email', Value: 'ana@example.org' }] },
  })
})

test('a visitor who came by a link is signed in by the code, without entering the password again', async () => {
  answers['SignUp'] = { status: 200, body: { UserConfirmed: false, UserSub: 'u1' } }
  answerWithSecondStep()
  const entry = { pathname: to.signup(), search: '?redirect=%2Fjoin%2Ft', state: { email: person.email } }
  const app = await openApp(routes, entry)
  await screen.findByRole('heading', { name: 'Create an account' })
  expect(field('email').value).toBe('ana@example.org')
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText('We sent a code to ana@example.org.')
  await fill({ code: '123456' })
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Enter the code your authenticator app shows for this account.')).toBeDefined()
  expect(pool.requests.map(({ operation }) => operation)).toEqual([
    'SignUp',
    'ConfirmSignUp',
    'InitiateAuth',
    'RespondToAuthChallenge',
  ])
  expect(pool.requests[2]?.body).toMatchObject({ AuthParameters: { USERNAME: 'ana@example.org' } })
  expect(app.place()).toBe(to.login('/join/t'))
})

test('a code entered three minutes after the sign-up does not sign the user in', async () => {
  answers['SignUp'] = { status: 200, body: { UserConfirmed: false, UserSub: 'u1' } }
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await openApp(routes, to.signup('/join/t'))
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText('We sent a code to ana@example.org.')
  await fill({ code: '123456' })
  vi.advanceTimersByTime(180_001)
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  expect(pool.requests.map(({ operation }) => operation)).toEqual(['SignUp', 'ConfirmSignUp'])
  expect(app.place()).toBe(to.login('/join/t'))
})

test('a visitor who came without a link signs in with the password after entering the code', async () => {
  answers['SignUp'] = { status: 200, body: { UserConfirmed: false, UserSub: 'u1' } }
  const app = await openApp(routes, to.signup(to.watchlists()))
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText('We sent a code to ana@example.org.')
  await fill({ code: '123456' })
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  expect(pool.requests.map(({ operation }) => operation)).toEqual(['SignUp', 'ConfirmSignUp'])
  expect(app.place()).toBe(to.login(to.watchlists()))
  expect(field('email').value).toBe('ana@example.org')
})

test('a login screen opened after a confirmation elsewhere asks for the password', async () => {
  const state = { email: 'ben@example.org', message: 'Your e-mail is verified.', signsIn: 'yes' }
  await openApp(routes, { pathname: to.login(), state })

  expect(await screen.findByText('Your e-mail is verified.')).toBeDefined()
  expect(field('email').value).toBe('ben@example.org')
  expect(pool.requests).toEqual([])
})

test('a user without a passkey can choose another way to sign in', async () => {
  setFeatures({ ...features(), passkeys: true })
  vi.stubGlobal('PublicKeyCredential', class {})
  answers['InitiateAuth'] = {
    status: 200,
    body: {
      ChallengeName: 'SELECT_CHALLENGE',
      Session: 'session-of-more-than-20',
      AvailableChallenges: ['PASSWORD', 'PASSWORD_SRP', 'EMAIL_OTP'],
      ChallengeParameters: {},
    },
  }
  await openApp(routes, to.login())
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in with a passkey' }))

  expect(
    await screen.findByText('There is no passkey to use for this e-mail. Choose another way to sign in.'),
  ).toBeDefined()
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
    'Password',
    'Code by e-mail',
    'Start over',
  ])
})

test('an installation without accounts links from the login screen to its setup', async () => {
  setFeatures({ ...features(), needsSetup: true })
  await openApp(routes, to.login())

  expect(await screen.findByText(/This site is not set up yet\./u)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe(to.setup())
})

test.each([
  ['closed', '/join/t', 'You cannot create an account here.'],
  [
    'invited',
    '/watchlists/w1',
    'Only friends with an invite link can create an account here. Open the link you got, or ask for one.',
  ],
] as const)('a visitor cannot sign up if registration is %s (redirect: %s)', async (registration, redirect, words) => {
  setFeatures({ ...features(), registration })
  const app = await openApp(routes, to.signup(redirect))

  expect(await screen.findByText(words)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Sign up' })).toBeNull()
  await app.goTo(to.login(redirect))
  await screen.findByRole('button', { name: 'Sign in' })
  expect(screen.queryByRole('link', { name: 'Sign up' })).toBeNull()
})

test('an invited visitor signs up with their link, and sees if it has ended', async () => {
  setFeatures({ ...features(), registration: 'invited' })
  answers['SignUp'] = refusal('NotAuthorizedException', 'SignUp is permitted only with an invitation that is valid')
  await openApp(routes, to.signup('/join/t'))
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

  expect((await screen.findByRole('alert')).textContent).toBe(
    'This invite link does not work any more. Ask your friends for a new one.',
  )
  expect(pool.requests[0]).toMatchObject({
    operation: 'SignUp',
    body: { ClientMetadata: { language: 'en', redirect: '/join/t' } },
  })
})

test('a taken name is shown below the e-mail, and marks only the name field until it changes', async () => {
  answers['SignUp'] = refusal('UsernameExistsException', 'User already exists')
  await openApp(routes, to.signup())
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

  expect(await screen.findByText('User already exists')).toBeDefined()
  expect(field('email').getAttribute('aria-describedby')).toBe(screen.getByText('User already exists').id)
  expect(field('email').getAttribute('aria-invalid')).toBeNull()
  expect(errorOf('email')).toBeUndefined()
  expect(field('name').getAttribute('aria-invalid')).toBe('true')
  expect(errorOf('name')).toBe('This name is taken. Choose another one.')
  await waitFor(() => expect(document.activeElement).toBe(field('name')))

  await userEvent.type(field('name'), 'bel')

  expect(screen.queryByText('User already exists')).toBeNull()
  expect(errorOf('name')).toBeUndefined()
})

test.each([
  ['LimitExceededException', 'Attempt limit exceeded, please try after some time.', null],
  ['UsernameExistsException', 'An account with the given email already exists.', 'true'],
])('%s "%s" is shown below the e-mail, which is marked as invalid: %s', async (code, message, isInvalid) => {
  answers['SignUp'] = refusal(code, message)
  await openApp(routes, to.signup())
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

  await waitFor(() => expect(errorOf('email')).toBe(message))
  expect(field('email').getAttribute('aria-invalid')).toBe(isInvalid)
  expect(field('name').getAttribute('aria-invalid')).toBeNull()
})

test('an input that the user pool rejects is explained only at its field', async () => {
  answers['SignUp'] = refusal(
    'InvalidParameterException',
    "2 validation errors detected: Value at 'username' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\p{L}]+; Value at 'password' failed to satisfy constraint: Member must satisfy regular expression pattern: ^[\\S]+.*[\\S]+$",
  )
  await openApp(routes, to.signup())
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill({ ...person, name: 'Ana Bel' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))

  await waitFor(() => expect(errorOf('name')).toBe('Use letters, digits and symbols, without spaces.'))
  expect(errorOf('password')).toBe('A password cannot begin or end with a space.')
  expect(errorOf('email')).toBeUndefined()
  await waitFor(() => expect(document.activeElement).toBe(field('name')))
})

test('a taken e-mail address offers a sign-in and a password reset', async () => {
  answers['ConfirmSignUp'] = refusal('AliasExistsException', 'An account with the email already exists.')
  const state = { email: 'ana@example.org', name: 'Ana' }
  const app = await openApp(routes, { pathname: to.verify(), state })
  await screen.findByRole('heading', { name: 'Verify your e-mail' })
  await fill({ code: '123 456' })
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  const alert = within(await screen.findByRole('alert'))
  expect(alert.getByText('An account with the email already exists.')).toBeDefined()
  expect(pool.requests[0]?.body).toMatchObject({ ConfirmationCode: '123456' })
  expect(alert.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe(to.login())

  await userEvent.click(alert.getByRole('link', { name: 'reset your password' }))

  expect(await screen.findByRole('heading', { name: 'Forgot your password?' })).toBeDefined()
  expect(app.place()).toBe(to.forgotPassword())
  expect(field('email').value).toBe('ana@example.org')
})

test('a wrong password is shown below the e-mail', async () => {
  answers['InitiateAuth'] = refusal('NotAuthorizedException', 'Incorrect username or password.')
  await openApp(routes, to.login())
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org', password: 'wrong' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(await screen.findByText('Incorrect username or password.')).toBeDefined()
  expect(errorOf('email')).toBe('Incorrect username or password.')
})

test('an unconfirmed user is redirected from the login screen to code entry', async () => {
  answers['InitiateAuth'] = refusal('UserNotConfirmedException', 'User is not confirmed.')
  const app = await openApp(routes, to.login('/watchlists/w1'))
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org', password: 'Passw0rd' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(await screen.findByText('We sent a code to ana@example.org.')).toBeDefined()
  expect(app.place()).toBe(to.verify('/watchlists/w1'))

  await fill({ code: '123456' })
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  // The pool still refuses the password that was typed before the code.
  expect(pool.requests.slice(-2)).toMatchObject([
    { operation: 'ConfirmSignUp', body: { Username: 'ana@example.org', ConfirmationCode: '123456' } },
    { operation: 'InitiateAuth' },
  ])
  expect(app.place()).toBe(to.login('/watchlists/w1'))
  expect(field('email').value).toBe('ana@example.org')
  await waitFor(() => expect(document.activeElement).toBe(field('password')))
})

test('a wrong answer to a custom challenge is reported, even if it ends the sign-in', async () => {
  const challenge = {
    SALT: 'a1b2',
    SRP_B: '7f'.repeat(128),
    SECRET_BLOCK: 'c2VjcmV0',
    USER_ID_FOR_SRP: 'u1',
    USERNAME: 'u1',
  }
  const session = 'session-of-more-than-20'
  const question: PoolAnswer = {
    status: 200,
    body: { ChallengeName: 'CUSTOM_CHALLENGE', Session: session, ChallengeParameters: { question: 'Which film?' } },
  }
  answers['InitiateAuth'] = {
    status: 200,
    body: { ChallengeName: 'PASSWORD_VERIFIER', ChallengeParameters: challenge },
  }
  answers['RespondToAuthChallenge'] = question
  await openApp(routes, to.login())
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org', password: 'Passw0rd' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))
  await screen.findByText('Which film?')
  expect(screen.queryByRole('alert')).toBeNull()

  await fill({ answer: 'Cool Runnings' })
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))

  expect((await screen.findByRole('alert')).textContent).toBe('That answer was wrong.')
  expect(field('answer').value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(field('answer')))

  answers['RespondToAuthChallenge'] = refusal('NotAuthorizedException', 'Incorrect username or password.')
  await fill({ answer: 'Citizen Kane' })
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))

  expect(await screen.findByText('That answer was wrong. Please sign in again.')).toBeDefined()
  expect(field('email').value).toBe('ana@example.org')
  await waitFor(() => expect(document.activeElement).toBe(field('password')))
})

test('a user who has to reset the password is redirected, sees the reason, and gets a code', async () => {
  answers['InitiateAuth'] = refusal('PasswordResetRequiredException', 'Password reset required for the user')
  answers['ForgotPassword'] = { status: 200, body: { CodeDeliveryDetails: { DeliveryMedium: 'EMAIL' } } }
  const app = await openApp(routes, to.login())
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org', password: 'Passw0rd' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(await screen.findByRole('heading', { name: 'Reset your password' })).toBeDefined()
  expect(field('email')).toMatchObject({ value: 'ana@example.org', readOnly: true })
  expect(app.place()).toBe(to.resetPassword())
  expect(screen.getByRole('status').textContent).toContain(
    'You need a new password before you can sign in. We sent a code to ana@example.org.',
  )
  expect(pool.requests.at(-1)).toMatchObject({ operation: 'ForgotPassword', body: { Username: 'ana@example.org' } })
})

test('a user who has to reset the password is redirected even if no more codes can be sent', async () => {
  answers['InitiateAuth'] = refusal('PasswordResetRequiredException', 'Password reset required for the user')
  answers['ForgotPassword'] = refusal('LimitExceededException', 'Attempt limit exceeded, please try after some time.')
  await openApp(routes, to.login())
  await screen.findByRole('heading', { name: 'Sign in' })
  await fill({ email: 'ana@example.org', password: 'Passw0rd' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(await screen.findByRole('heading', { name: 'Reset your password' })).toBeDefined()
  expect(screen.getByRole('alert').textContent).toContain('Attempt limit exceeded, please try after some time.')
  expect(field('email')).toMatchObject({ value: 'ana@example.org', readOnly: true })
})

test('a sign-in asks for the second factor, and starting over clears earlier messages', async () => {
  answerWithSecondStep()
  const welcome = { message: 'Your e-mail is verified.', messageType: 'success' }
  await openApp(routes, { pathname: to.login(), state: welcome })
  expect(await screen.findByText('Your e-mail is verified.')).toBeDefined()
  await fill({ email: 'ana@example.org', password: 'Passw0rd' })
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }))

  expect(await screen.findByText('Enter the code your authenticator app shows for this account.')).toBeDefined()
  expect(screen.queryByText('Your e-mail is verified.')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }))
  expect(await screen.findByRole('button', { name: 'Sign in' })).toBeDefined()
  expect(screen.queryByText('Your e-mail is verified.')).toBeNull()
})

test('a wrong code is shown above the form, and a new code can be requested', async () => {
  answers['ConfirmSignUp'] = refusal('CodeMismatchException', 'Invalid verification code provided, please try again.')
  await openApp(routes, { pathname: to.verify(), state: { email: 'ana@example.org', name: 'Ana' } })
  await screen.findByRole('heading', { name: 'Verify your e-mail' })
  await fill({ code: ' 000000 ' })
  await userEvent.click(screen.getByRole('button', { name: 'Verify' }))

  const refused = await screen.findByRole('alert')
  expect(refused.textContent).toBe('Invalid verification code provided, please try again.')
  expect(pool.requests[0]?.body).toMatchObject({ Username: 'Ana', ConfirmationCode: '000000' })

  await userEvent.click(screen.getByRole('button', { name: 'Resend code' }))

  expect(await screen.findByText('A new code is on its way to ana@example.org.')).toBeDefined()
  expect(field('code').value).toBe('')
  await waitFor(() => expect(document.activeElement).toBe(field('code')))
  expect(screen.queryByText('Invalid verification code provided, please try again.')).toBeNull()
  expect(pool.requests.at(-1)).toMatchObject({ operation: 'ResendConfirmationCode', body: { Username: 'Ana' } })
})

test('a confirmation link does nothing until the button is pressed, and is removed from the address bar', async () => {
  const app = await openApp(routes, {
    pathname: to.confirm(),
    hash: '#username=Ana+Mar%C3%ADa&code=123456',
    state: null,
  })
  const button = await screen.findByRole('button', { name: 'Verify' })
  expect(screen.getByText(/Verify the e-mail of the account “Ana María”\./u)).toBeDefined()
  expect(app.place()).toBe(to.confirm())
  expect(pool.requests).toEqual([])

  await userEvent.click(button)

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  expect(pool.requests).toMatchObject([
    { operation: 'ConfirmSignUp', body: { Username: 'Ana María', ConfirmationCode: '123456' } },
  ])
  expect(app.place()).toBe(to.login())
})

test('a confirmation link with a redirect leads to the login screen with the same redirect', async () => {
  const hash = '#username=Ana&code=123456&redirect=%2Fjoin%2Ft'
  const app = await openApp(routes, { pathname: to.confirm(), hash, state: null })
  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  expect(app.place()).toBe(to.login('/join/t'))
})

test('a used confirmation link leads to the login screen', async () => {
  answers['ConfirmSignUp'] = refusal('NotAuthorizedException', 'User cannot be confirmed. Current status is CONFIRMED')
  const app = await openApp(routes, { pathname: to.confirm(), hash: '#username=Ana&code=123456', state: null })
  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))

  expect(await screen.findByText('Your e-mail is verified. Please sign in.')).toBeDefined()
  expect(app.place()).toBe(to.login())
})

test('an expired confirmation link shows the error, and a new one can be sent', async () => {
  answers['ConfirmSignUp'] = refusal('ExpiredCodeException', 'Invalid code provided, please request a code again.')
  await openApp(routes, { pathname: to.confirm(), hash: '#username=Ana&code=123456', state: null })
  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid code provided, please request a code again.')

  await userEvent.click(screen.getByRole('button', { name: 'Send a new link' }))

  expect(await screen.findByText('A new link is on its way.')).toBeDefined()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(pool.requests.at(-1)).toMatchObject({ operation: 'ResendConfirmationCode', body: { Username: 'Ana' } })
})

test('the confirmation screen without a link leads to the login screen', async () => {
  const app = await openApp(routes, to.confirm())

  expect(await screen.findByRole('heading', { name: 'Sign in' })).toBeDefined()
  expect(app.place()).toBe(to.login())
})

test('the verification screen has no code field if links are mailed, and can send another link', async () => {
  setFeatures({ ...features(), verification: 'link' })
  await openApp(routes, { pathname: to.verify(), state: { email: 'ana@example.org', name: 'Ana' } })

  expect(await screen.findByText('We sent a link to ana@example.org. Open it to verify your e-mail.')).toBeDefined()
  expect(document.querySelector('input')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Resend link' }))
  expect(await screen.findByText('A new link is on its way to ana@example.org.')).toBeDefined()
})

test('the tab of the sign-up continues when the mailed link is opened in another tab', async () => {
  setFeatures({ ...features(), verification: 'link' })
  answers['SignUp'] = { status: 200, body: { UserConfirmed: false, UserSub: 'u1' } }
  answerWithSecondStep()
  await openApp(routes, { pathname: to.signup(), search: '?redirect=%2Fjoin%2Ft', state: { email: person.email } })
  await screen.findByRole('heading', { name: 'Create an account' })
  await fill(person)
  await userEvent.click(screen.getByRole('button', { name: 'Sign up' }))
  await screen.findByText('We sent a link to ana@example.org. Open it to verify your e-mail.')

  announceConfirmed('ben')
  announceConfirmed('ana')

  expect(
    await screen.findByText('Enter the code your authenticator app shows for this account.', {}, { timeout: 20_000 }),
  ).toBeDefined()
  expect(pool.requests.map(({ operation }) => operation)).toEqual(['SignUp', 'InitiateAuth', 'RespondToAuthChallenge'])
})

test('a confirmation link announces the confirmed account to the other tabs', async () => {
  const heard: string[] = []
  const stop = onConfirmed((username) => heard.push(username))
  await openApp(routes, { pathname: to.confirm(), hash: '#username=Ana&code=123456', state: null })
  await userEvent.click(await screen.findByRole('button', { name: 'Verify' }))

  await expect.poll(() => heard, { timeout: 20_000 }).toEqual(['Ana'])
  stop()
})

test('a forgotten password is reset with the code, and the login screen confirms it', async () => {
  answers['ForgotPassword'] = { status: 200, body: { CodeDeliveryDetails: { DeliveryMedium: 'EMAIL' } } }
  const app = await openApp(routes, to.forgotPassword('/watchlists/w1'))
  await screen.findByRole('heading', { name: 'Forgot your password?' })
  await fill({ email: 'ana@example.org' })
  await userEvent.click(screen.getByRole('button', { name: 'Send instructions' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Reset now' }))
  await screen.findByRole('heading', { name: 'Reset your password' })
  await fill({ code: '123456', newPassword: 'Passw0rd2', confirmPassword: 'Passw0rd2' })
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))

  expect(await screen.findByText('Your password was reset. Please sign in with the new one.')).toBeDefined()
  expect(app.place()).toBe(to.login('/watchlists/w1'))
  expect(pool.requests.at(-1)).toMatchObject({
    operation: 'ConfirmForgotPassword',
    body: { Username: 'ana@example.org', ConfirmationCode: '123456', Password: 'Passw0rd2' },
  })
})

test('an operator’s reset link fills in the name and code, and is removed from the address bar', async () => {
  answers['ConfirmForgotPassword'] = { status: 200, body: {} }
  const app = await openApp(routes, {
    pathname: to.resetPassword(),
    hash: '#username=ana&code=654321',
    state: { email: 'ben@example.org', message: 'Well, well' },
  })
  await screen.findByRole('heading', { name: 'Reset your password' })
  expect(app.place()).toBe(to.resetPassword())
  expect(screen.queryByText('Well, well')).toBeNull()
  expect(field('code').value).toBe('654321')
  expect(field('email')).toMatchObject({ value: 'ana', readOnly: true })
  await fill({ newPassword: 'Passw0rd2', confirmPassword: 'Passw0rd2' })
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))

  expect(await screen.findByText('Your password was reset. Please sign in with the new one.')).toBeDefined()
  expect(pool.requests.at(-1)).toMatchObject({
    operation: 'ConfirmForgotPassword',
    body: { Username: 'ana', ConfirmationCode: '654321', Password: 'Passw0rd2' },
  })
})

test('a new password that the user pool rejects is explained at its field', async () => {
  answers['ConfirmForgotPassword'] = refusal(
    'InvalidPasswordException',
    'Password did not conform with policy: Password must have numeric characters',
  )
  await openApp(routes, { pathname: to.resetPassword(), state: { email: 'ana@example.org' } })
  await screen.findByRole('heading', { name: 'Reset your password' })
  await fill({ code: '123456', newPassword: 'Password', confirmPassword: 'Password' })
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))

  await waitFor(() => expect(errorOf('newPassword')).toBe('Password must contain at least one number'))
  expect(screen.getAllByRole('alert')).toHaveLength(1)
})

test('two different new passwords show an error at the field, and nothing is sent', async () => {
  await openApp(routes, { pathname: to.resetPassword(), state: { email: 'ana@example.org' } })
  await screen.findByRole('heading', { name: 'Reset your password' })
  await fill({ code: '123456', newPassword: 'Passw0rd2', confirmPassword: 'Passw0rd3' })
  await userEvent.click(screen.getByRole('button', { name: 'Reset password' }))

  expect(errorOf('confirmPassword')).toBe('Passwords do not match')
  expect(pool.requests).toEqual([])
})

test.each([
  ['success', 'status'],
  ['error', 'alert'],
] as const)('a message of type %s on the login screen has the matching role', async (messageType, role) => {
  await openApp(routes, { pathname: to.login(), state: { message: 'Well, well', messageType } })

  const message = await screen.findByText('Well, well')
  expect(screen.getByRole(role).contains(message)).toBe(true)
})

// Evidence: wcag-1.3.5, wcag-3.3.8, asvs-6.2.7
test.each([
  [to.login(), 'Sign in', { email: 'username', password: 'current-password' }],
  [to.forgotPassword(), 'Forgot your password?', { email: 'username' }],
  [
    to.signup(),
    'Create an account',
    { email: 'username', name: 'nickname', password: 'new-password', confirmPassword: 'new-password' },
  ],
])(
  'the fields of %s have the names and autocomplete tokens that password managers use',
  async (path, title, tokens) => {
    await openApp(routes, path)
    await screen.findByRole('heading', { name: title })

    const fields = Object.keys(tokens).map(field)
    expect(fields.map(({ name, autocomplete }) => [name, autocomplete])).toEqual(Object.entries(tokens))
    expect(fields.every(({ required }) => required)).toBe(true)
  },
)

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'

import { features, setFeatures } from '#web/config.ts'
import { ROUTES } from '#web/paths.ts'
import { Component as Setup } from '#web/routes/setup.tsx'
import { type FakeAnswers, fakeApi, Refusal } from '#web/testing/fake-api.ts'
import { aSession, openApp } from '#web/testing/open-app.tsx'
import { tidyUp } from '#web/testing/render-part.tsx'

tidyUp()

const NOT_FOUND = new Refusal(404, 'NOT_FOUND', 'Resource not found')

async function openSetup(answers: FakeAnswers, accountService = true) {
  const before = features()
  setFeatures({ ...before, accountService })
  onTestFinished(() => setFeatures(before))
  const api = fakeApi(answers)
  const routes = [
    { path: ROUTES.setup, element: <Setup /> },
    { path: '*', element: null },
  ]
  await openApp(routes, '/setup?code=c', aSession())
  return api
}

async function fillIn() {
  await userEvent.type(await screen.findByLabelText('E-mail'), 'ana@example.org')
  await userEvent.type(screen.getByLabelText('Name'), 'Ana')
  await userEvent.type(screen.getByLabelText('Password'), 'Correct-Horse-7')
  await userEvent.type(screen.getByLabelText('Confirm password'), 'Correct-Horse-7')
}

test('the page shows why a test mail failed, and that a later one was accepted', async () => {
  const outcomes = [
    { outcome: 'failed', reason: 'connect ECONNREFUSED' },
    { outcome: 'accepted', reason: null },
  ]
  const api = await openSetup({ checkSetup: () => undefined, sendTestMail: () => outcomes.shift() })
  await userEvent.type(await screen.findByLabelText('E-mail'), 'ana@example.org')

  await userEvent.click(screen.getByRole('button', { name: 'Send a test mail' }))
  expect((await screen.findByRole('alert')).textContent).toBe('The test mail was not sent.connect ECONNREFUSED')

  await userEvent.click(screen.getByRole('button', { name: 'Send a test mail' }))
  expect(await screen.findByText('Sent. Look for it in the inbox of ana@example.org.')).toBeTruthy()
  expect(api.callsOf('sendTestMail').at(-1)?.request.body).toEqual({
    code: 'c',
    email: 'ana@example.org',
    language: 'en',
  })
})

test('a test mail needs only an e-mail address', async () => {
  const api = await openSetup({ checkSetup: () => undefined })

  await userEvent.click(await screen.findByRole('button', { name: 'Send a test mail' }))

  expect(await screen.findByText('Invalid email address')).toBeTruthy()
  expect(screen.queryByText('Username is required')).toBeNull()
  expect(api.callsOf('sendTestMail')).toEqual([])
})

test('a password manager stores the e-mail of the first account as its login name', async () => {
  await openSetup({ checkSetup: () => undefined })
  const tokenOf = (label: string) => screen.getByLabelText<HTMLInputElement>(label).autocomplete

  await screen.findByLabelText('E-mail')
  expect(['E-mail', 'Name', 'Password'].map(tokenOf)).toEqual(['username', 'nickname', 'new-password'])
})

test('a refused account shows the reason and keeps the typed e-mail', async () => {
  const refusal = new Refusal(400, 'BAD_REQUEST', 'Invalid username.')
  const api = await openSetup({ checkSetup: () => undefined, createFirstAccount: () => refusal })
  await fillIn()

  await userEvent.click(screen.getByRole('button', { name: 'Create the account' }))

  expect((await screen.findByRole('alert')).textContent).toBe('The account was not created.Invalid username.')
  expect(screen.getByDisplayValue('ana@example.org')).toBeTruthy()
  expect(api.callsOf('createFirstAccount').map(({ request }) => request.body)).toEqual([
    { code: 'c', email: 'ana@example.org', username: 'Ana', password: 'Correct-Horse-7' },
  ])
})

test('the setup ends if another visitor creates the first account at the same time', async () => {
  let hasAccount = false
  const check = () => (hasAccount ? NOT_FOUND : undefined)
  await openSetup({ checkSetup: check, createFirstAccount: () => NOT_FOUND })
  await fillIn()
  hasAccount = true

  await userEvent.click(screen.getByRole('button', { name: 'Create the account' }))

  expect(await screen.findByRole('heading', { name: 'This site is set up' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toBe('/auth/login')
})

test('the page links to the sign-up if accounts are in Amazon Cognito', async () => {
  const api = await openSetup({}, false)

  expect((await screen.findByRole('link', { name: 'Sign up' })).getAttribute('href')).toBe('/auth/signup')
  expect(api.callsOf('checkSetup')).toEqual([])
})

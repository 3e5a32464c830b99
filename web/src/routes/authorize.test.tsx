import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'

import '#web/i18n/external-texts.ts'
import { features, setFeatures } from '#web/config.ts'
import { aSession, openApp } from '#web/testing/open-app.tsx'

import { Component as Authorize } from './authorize.tsx'
import { Component as Login } from './login.tsx'

const NOTHING = features()
afterEach(() => {
  cleanup()
  setFeatures(NOTHING)
  vi.unstubAllGlobals()
})

const ana = { userId: 'u1', username: 'Ana', loginId: 'ana@example.org' }
const routes = [
  { path: '/auth/authorize', element: <Authorize /> },
  { path: '/auth/login', element: <Login /> },
]

// Evidence: asvs-6.8.4
test('a tool that needs a recent sign-in makes the provider ask again, and the login screen explains why', async () => {
  setFeatures({ ...NOTHING, externalProvider: 'Film club' })
  const question = { clientName: 'Film wiki', scopes: [], signInAgain: true }
  vi.stubGlobal('fetch', async () => await Promise.resolve(Response.json(question)))
  await openApp(routes, '/auth/authorize?request=r1', aSession(ana))

  const button = await screen.findByRole('link', { name: 'Sign in with Film club' })
  expect(button.getAttribute('href')).toBe(
    '/oauth2/external/start?redirect=%2Fauth%2Fauthorize%3Frequest%3Dr1&again=true',
  )
  expect(screen.getByText('Please sign in again to confirm that it is you.')).toBeTruthy()
})

test('an ordinary sign-in does not make the provider ask again', async () => {
  setFeatures({ ...NOTHING, externalProvider: 'Film club' })
  await openApp(routes, '/auth/login')

  const button = await screen.findByRole('link', { name: 'Sign in with Film club' })
  expect(button.getAttribute('href')).toBe('/oauth2/external/start?redirect=%2F')
})

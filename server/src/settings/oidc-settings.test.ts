import { expect, test } from 'vitest'

import { externalProviderOf } from './oidc-settings.ts'
import { readServerSettings } from './settings.ts'

const PROVIDER = { OIDC_ISSUER: 'https://accounts.example.org/realms/films', OIDC_CLIENT_ID: 'marquee' }

test('a provider has an issuer and a client, and is named by OIDC_NAME or its host', () => {
  expect(externalProviderOf(readServerSettings(PROVIDER))).toEqual({
    issuer: 'https://accounts.example.org/realms/films',
    clientId: 'marquee',
    clientSecret: undefined,
    name: 'accounts.example.org',
  })
  const named = { ...PROVIDER, OIDC_NAME: 'Film club', OIDC_CLIENT_SECRET: 'secret' }
  expect(externalProviderOf(readServerSettings(named))).toMatchObject({ name: 'Film club', clientSecret: 'secret' })
  expect(externalProviderOf(readServerSettings({}))).toBeUndefined()
})

test.each(['OIDC_ISSUER', 'OIDC_CLIENT_ID'])('a provider without %s is rejected', (name) => {
  expect(() => readServerSettings({ ...PROVIDER, OIDC_NAME: 'Film club', [name]: '' })).toThrow(
    `${name}: Is needed with`,
  )
})

test.each(['http://accounts.example.org', 'accounts.example.org', 'https://a.example/?x=1', 'javascript:alert(1)'])(
  'the issuer %s is rejected',
  (OIDC_ISSUER) => {
    expect(() => readServerSettings({ ...PROVIDER, OIDC_ISSUER })).toThrow('OIDC_ISSUER: Must be an https:// address')
  },
)

test('OIDC_ISSUER is rejected with an Amazon user pool', () => {
  const amazon = { COGNITO_USER_POOL_ID: 'eu-west-1_AbC123xyz', COGNITO_CLIENT_ID: 'c', COGNITO_REGION: 'eu-west-1' }

  expect(() => readServerSettings({ ...amazon, ...PROVIDER })).toThrow('OIDC_ISSUER: Is for the built-in user pool')
})

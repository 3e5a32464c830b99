import { expect, test } from 'vitest'

import { readServerSettings } from './settings.ts'

const WIKI = { id: 'wiki', name: 'Film wiki', redirectUris: ['https://wiki.example.org/callback'] }
const read = (clients: unknown) =>
  readServerSettings({ OAUTH_CLIENTS: typeof clients === 'string' ? clients : JSON.stringify(clients) }).OAUTH_CLIENTS

test('tools are read from a JSON list', () => {
  expect(read([WIKI])).toEqual([{ ...WIKI, logoutUris: [] }])
  const local = {
    ...WIKI,
    secret: 's'.repeat(32),
    redirectUris: ['http://localhost:8080/back'],
    logoutUris: ['https://wiki.example.org/'],
  }
  expect(read([local])).toEqual([local])
})

test.each([
  'http://wiki.example.org/callback',
  'https://wiki.example.org/callback#here',
  'https://ana:secret@wiki.example.org/',
  'javascript:alert(1)',
  'data:text/html,x',
  '//wiki.example.org',
  '/callback',
  'https://',
])('%j is rejected as a redirect URI', (address) => {
  expect(() => read([{ ...WIKI, redirectUris: [address] }])).toThrow('OAUTH_CLIENTS.0.redirectUris.0: Must be a whole')
  expect(() => read([{ ...WIKI, logoutUris: [address] }])).toThrow('OAUTH_CLIENTS.0.logoutUris.0: Must be a whole')
})

test('OAUTH_CLIENTS is rejected with an Amazon user pool', () => {
  const amazon = { COGNITO_USER_POOL_ID: 'eu-west-1_AbC123xyz', COGNITO_CLIENT_ID: 'c', COGNITO_REGION: 'eu-west-1' }
  const both = { ...amazon, OAUTH_CLIENTS: JSON.stringify([WIKI]) }

  expect(() => readServerSettings(both)).toThrow('OAUTH_CLIENTS: Is for the built-in user pool')
})

test('an invalid list of clients is rejected with a message', () => {
  expect(() => read('wiki')).toThrow('OAUTH_CLIENTS: Must be a list in JSON')
  expect(() => read({ wiki: WIKI })).toThrow('OAUTH_CLIENTS: Must be a list in JSON')
  expect(() => read([WIKI, WIKI])).toThrow('OAUTH_CLIENTS: Two clients have the same id')
  expect(() => read([{ ...WIKI, redirectUris: [] }])).toThrow('One is needed at least')
  expect(() => read([{ ...WIKI, secret: 'short' }])).toThrow('Must have at least 32 characters')
  expect(() => read([{ ...WIKI, redirect_uris: [] }])).toThrow('OAUTH_CLIENTS.0')
})

import { expect, test } from 'vitest'

import { redirectTarget } from './redirect-target.ts'

test.each(['/watchlists', '/watchlists/abc?tab=1#top', '/watchlists/invitation/accept?token=a%2Bb', '/'])(
  'a path of this app is accepted: %s',
  (path) => {
    expect(redirectTarget(path)).toBe(path)
  },
)

// Evidence: asvs-1.2.2, asvs-3.7.2
test.each([
  'https://evil.example',
  'HTTPS:evil.example',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  '/\n/evil.example',
  '/\u0000',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'watchlists',
  '@evil.example',
  '?x',
  '',
  ' /watchlists',
])('a redirect that may lead to another origin is replaced by the home page: %j', (redirect) => {
  expect(redirectTarget(redirect)).toBe('/')
})

test('a missing redirect is replaced by the home page', () => {
  expect(redirectTarget(null)).toBe('/')
  expect(redirectTarget(undefined)).toBe('/')
})

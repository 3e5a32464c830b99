import { expect, test } from 'vitest'

import { coarseClient } from './record-event.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Firefox on Windows'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Mac',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['curl/8.5.0', ''],
  ['', ''],
])('the User-Agent %s is shown as %o', (userAgent, client) => {
  expect(coarseClient(userAgent)).toBe(client)
})

test('the name of a program contains no free text from its User-Agent', () => {
  expect(coarseClient(`Firefox/1 ${'ana@example.org '.repeat(1000)}Windows`)).toBe('Firefox on Windows')
})

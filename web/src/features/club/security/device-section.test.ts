import { expect, test } from 'vitest'

import { readDeviceName } from './device-section.tsx'

test.each([
  [
    'macOS 14.2.1 arm macOS Not A(Brand/99.0.0.0;Google Chrome/121.0.6167.160;Chromium/121.0.6167.160',
    { browser: 'Chrome', system: 'Mac' },
  ],
  [
    'Windows 15.0.0 x86 Windows Chromium/142.0.1.2;Microsoft Edge/142.0.1.2;Not_A Brand/99.0.0.0',
    { browser: 'Edge', system: 'Windows' },
  ],
  [
    'Android 15.0.0 Pixel 9 Android Chromium/142.0.1.2;Google Chrome/142.0.1.2',
    { browser: 'Chrome', system: 'Android' },
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:109.0) Gecko/20100101 Firefox/115.0',
    { browser: 'Firefox', system: 'Mac' },
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
    { browser: 'Safari', system: 'iPhone' },
  ],
  ['Chrome OS 16.0 x86 Chrome OS Chromium/142.0.1.2', { browser: 'Chrome', system: 'ChromeOS' }],
  ['curl/8.5.0', {}],
  ['The tablet in the kitchen', { given: 'The tablet in the kitchen' }],
  [undefined, {}],
])('the device name %s is shown as %o', (text, name) => {
  expect(readDeviceName(text)).toEqual(name)
})

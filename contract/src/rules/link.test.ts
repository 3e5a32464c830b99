import { expect, test } from 'vitest'

import { linkIn } from './link.ts'

// Evidence: asvs-1.2.2
test.each([
  ['https://www.imdb.com/title/tt0078748/', 'https://www.imdb.com/title/tt0078748/'],
  ['Alien (1979) https://boxd.it/2awY', 'https://boxd.it/2awY'],
  ['See https://example.org/a, and https://example.org/b.', 'https://example.org/a'],
  ['(https://en.wikipedia.org/wiki/Alien_(film))', 'https://en.wikipedia.org/wiki/Alien_(film)'],
  ['“https://example.org/alien?”', 'https://example.org/alien'],
  ['HTTPS://EXAMPLE.ORG/A\nsecond line', 'HTTPS://EXAMPLE.ORG/A'],
  ['Alien', undefined],
  ['ftp://example.org/alien', undefined],
  ['https://', undefined],
  ['https://user:password@example.org/', undefined],
])('the first link in %j is %j', (text, link) => {
  expect(linkIn(text)).toBe(link)
})

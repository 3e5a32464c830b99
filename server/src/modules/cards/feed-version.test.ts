import { expect, test } from 'vitest'

import { feedVersions } from './feed-version.ts'

test('a page is another once its watchlist or the address of its images is', () => {
  const here = feedVersions({ urlOf: (hash) => `http://localhost:3000/images/${hash}` })
  const there = feedVersions({ urlOf: (hash) => `https://films.example.org/images/${hash}` })

  expect(here(1)).toBe(here(1))
  expect(new Set([here(1), here(2), there(1)]).size).toBe(3)
})

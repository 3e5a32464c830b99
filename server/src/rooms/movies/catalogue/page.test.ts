import { expect, test } from 'vitest'

import { readHtml, readMoviePage } from './page.ts'

const MB = 1024 * 1024
const page = (html: string) => ({
  bytes: Buffer.from(html),
  contentType: 'text/html; charset=utf-8',
  url: 'https://movies.example/alien',
})
const HEAD = '<html><head><meta property="og:title" content="Alien (1979)"></head><body>'

test('reading stops where elements are nested more than 256 levels deep', () => {
  expect(readHtml('<b>'.repeat(MB), {})).toBe(257)
})

test('sibling and closed elements are all read', () => {
  expect(readHtml('<b></b>'.repeat(1_000), {})).toBe(1_000)
  expect(readHtml('<p>a<br>'.repeat(1_000), {})).toBe(2_000)
})

test('a movie before deeply nested elements is found, and one after them is not', () => {
  const nested = '<b>'.repeat(100_000)
  const movie = '<meta property="og:title" content="Ran (1985)">'

  expect(readMoviePage(page(`${HEAD}${nested}`)).details).toMatchObject({ title: 'Alien', movie: { year: 1979 } })
  expect(readMoviePage(page(`${nested}${movie}`)).details).toBeUndefined()
})

test.each([
  ['nested JSON-LD', `<script type="application/ld+json">${'['.repeat(200_000)}</script>`],
  ['a wide graph', `<script type="application/ld+json">{"@graph":[${'{},'.repeat(100_000)}{}]}</script>`],
  ['many scripts', '<script type="application/ld+json">{"name":"x"}</script>'.repeat(9_000)],
  ['many links', '<a href="/film/x/">'.repeat(200)],
  ['many attributes', `<p ${Array.from({ length: 50_000 }, (_, n) => `a${n}`).join(' ')}>`],
  ['a long attribute', `<meta property="og:description" content="${'x'.repeat(400_000)}">`],
  ['a tag without an end', `<p ${'x'.repeat(400_000)}`],
  ['half a comment', `<!--${'-'.repeat(400_000)}`],
])('the movie of a page with %s is still found', (_what, hostile) => {
  const { details } = readMoviePage(page(`${HEAD}${hostile}`))

  expect(details).toMatchObject({ title: 'Alien', movie: { year: 1979 } })
  expect(details?.description?.length ?? 0).toBeLessThanOrEqual(5_000)
})

test('only the first 100 JSON-LD objects of a page are searched for its movie', () => {
  const objects = (count: number) =>
    `<script type="application/ld+json">[${'{},'.repeat(count)}{"@type":"Movie","name":"Ran"}]</script>`
  const empty = '<html><head></head><body>'

  expect(readMoviePage(page(`${empty}${objects(99)}`)).details).toMatchObject({ title: 'Ran' })
  expect(readMoviePage(page(`${empty}${objects(100)}`)).details).toBeUndefined()
})

test('the ids of a movie are read from only the first 2,000 addresses of its page', () => {
  const links = (count: number) =>
    `${'<a href="/about/"></a>'.repeat(count)}<a href="https://www.imdb.com/title/tt0078748/"></a>`
  const idsOf = (html: string) => readMoviePage({ ...page(html), url: 'https://letterboxd.com/film/alien/' }).ids.imdb

  // The first is that of the page itself.
  expect(idsOf(links(1_998))).toBe('tt0078748')
  expect(idsOf(links(1_999))).toBeUndefined()
})

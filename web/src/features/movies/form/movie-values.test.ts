import { expect, test } from 'vitest'

import { addMovieBody, editMovieBody, EMPTY_MOVIE, movieFault, type MovieValues, urlToCheck } from './movie-values.ts'

const values = (changes: Partial<MovieValues>): MovieValues => ({ ...EMPTY_MOVIE, ...changes })

test.each([
  ['nothing is given', {}, 'title', 'titleRequired'],
  ['the title is blank', { title: '  ' }, 'title', 'titleRequired'],
  ['the title is too long', { title: 'x'.repeat(301) }, 'title', 'titleTooLong'],
  [
    'the description is too long',
    { title: 'Yi Yi', description: 'x'.repeat(5001) },
    'description',
    'descriptionTooLong',
  ],
  ['there is no image', { title: 'Yi Yi' }, 'imageUrl', 'imageRequired'],
  ['there is no file', { title: 'Yi Yi', imageSource: 'file' }, 'imageFile', 'imageRequired'],
  ['the URL is not an image URL', { title: 'Yi Yi', imageUrl: 'x.org/a.jpg' }, 'imageUrl', 'invalidImageUrl'],
] as const)('the first fault is found if %s', (_, changes, field, key) => {
  expect(movieFault(values(changes))).toEqual({ field, key })
})

test('a typed URL is not checked if a file was chosen instead', () => {
  const given = values({
    title: 'Yi Yi',
    imageUrl: 'nonsense',
    imageSource: 'file',
    imageFile: 'data:image/png;base64,AA==',
  })

  expect(movieFault(given)).toBeUndefined()
  expect(addMovieBody(given).image).toBe('data:image/png;base64,AA==')
})

test.each([
  ['without an image extension', { imageUrl: ' https://x.org/poster ' }, 'https://x.org/poster'],
  ['with an image extension', { imageUrl: 'https://x.org/a.webp?x=1' }, undefined],
  ['replaced by a file', { imageUrl: 'https://x.org/poster', imageSource: 'file' }, undefined],
] as const)('the server checks a URL only if necessary: %s', (_, changes, url) => {
  expect(urlToCheck(values(changes))).toBe(url)
})

test('texts are sent trimmed, and an empty description is left out', () => {
  const given = values({
    title: ' Yi Yi ',
    description: '  ',
    imageUrl: ' https://x.org/a.jpg ',
    revealImmediately: true,
  })

  expect(addMovieBody(given)).toEqual({ title: 'Yi Yi', image: 'https://x.org/a.jpg', revealImmediately: true })
})

test('a kept image of a card is neither checked nor sent', () => {
  const given = values({ title: ' Yi Yi ', description: ' long ', imageSource: 'keep', imageUrl: 'nonsense' })

  expect(movieFault(given)).toBeUndefined()
  expect(urlToCheck(given)).toBeUndefined()
  expect(editMovieBody(given)).toEqual({ title: 'Yi Yi', description: 'long' })
})

test('a new image of a card is sent with the edit', () => {
  const given = values({ title: 'Yi Yi', imageSource: 'url', imageUrl: ' https://x.org/a.jpg ' })

  expect(editMovieBody(given)).toEqual({ title: 'Yi Yi', image: 'https://x.org/a.jpg' })
})

import { describe, expect, test } from 'vitest'

import { imageFault, isDataUrl, isDirectImageUrl, isHttpUrl, readImageDataUrl } from './image.ts'

test.each([
  ['https://example.org/poster.jpeg', true],
  ['https://example.org/poster.jpg', true],
  ['https://example.org/poster.gif', true],
  ['https://example.org/poster.png', true],
  ['https://example.org/poster.webp', true],
  ['HTTP://EXAMPLE.ORG/POSTER.JPG', true],
  ['https://example.org/poster.jpg?width=300', true],
  ['https://example.org/poster.avif', false],
  ['https://example.org/poster.svg', false],
  ['https://example.org/poster', false],
  ['https://example.org/poster.jpg/view', false],
  ['https://example.org/a poster.jpg', false],
  ['ftp://example.org/poster.jpg', false],
  ['poster.jpg', false],
])('%j is accepted as an image URL by its extension: %s', (url, isAccepted) => {
  expect(isDirectImageUrl(url)).toBe(isAccepted)
})

test.each([
  ['https://example.org/film', true],
  ['http://localhost:3000', true],
  ['https://ana@example.org/film', false],
  ['https://ana:secret@example.org/film', false],
  ['https://example.org/film?mail=ana@example.org', true],
  ['ftp://example.org/film', false],
  ['data:image/png;base64,AAAA', false],
  ['example.org/film', false],
  ['', false],
])('%j is an http URL without a login: %s', (url, isOne) => {
  expect(isHttpUrl(url)).toBe(isOne)
})

describe('data URLs', () => {
  test.each([
    ['data:image/png;base64,AAAA', true],
    ['https://example.org/poster.png', false],
  ])('%j is a data URL: %s', (value, isOne) => {
    expect(isDataUrl(value)).toBe(isOne)
  })

  test.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', base64: 'AAAA', bytes: 3 }],
    ['data:image/svg+xml;base64,AAA=', { mediaType: 'image/svg+xml', base64: 'AAA=', bytes: 2 }],
    ['DATA:IMAGE/PNG;BASE64,AA==', { mediaType: 'image/png', base64: 'AA==', bytes: 1 }],
    ['data:text/plain;base64,AAAA', undefined],
    ['data:image/png,AAAA', undefined],
    ['data:image/png;base64,', undefined],
    ['data:image/png;base64,AA AA', undefined],
    ['data:image/png;base64,AA===', undefined],
  ])('the data URL %j is parsed as %j', (value, image) => {
    expect(readImageDataUrl(value)).toEqual(image)
  })
})

test.each([
  ['image/png', 5_242_880, undefined],
  ['image/png', 5_242_881, 'size'],
  ['application/pdf', 1, 'type'],
  ['application/pdf', 5_242_881, 'type'],
  ['', 1, 'type'],
] as const)('the fault of a file of type %j with %i bytes is %s', (type, size, fault) => {
  expect(imageFault({ type, size })).toBe(fault)
})

import { expect, test } from 'vitest'

import { Movie } from '@marquee/contract/entities/movie'

import { compareMovies, type Likeness } from './compare.ts'
import { plainTitle } from './names.ts'

type Facts = { year?: number; originalTitle?: string; imdb?: string; tmdb?: string }

const aMovie = (title: string, facts?: Facts) => {
  if (facts === undefined) return { title, movie: null }
  const { year, originalTitle, ...ids } = facts
  return { title, movie: Movie.parse({ year, originalTitle, ids }) }
}

type Case = [what: string, one: [title: string, facts?: Facts], other: [title: string, facts?: Facts], is: Likeness]

test.each<Case>([
  ['an id decides over titles', ['Ran', { imdb: 'tt0089881' }], ['Chaos', { imdb: 'tt0089881' }], 'same'],
  [
    'one equal id is enough',
    ['Ran', { imdb: 'tt0089881', tmdb: '11645' }],
    ['Ran', { imdb: 'tt0000001', tmdb: '11645' }],
    'same',
  ],
  [
    'another id decides over title and year',
    ['Ran', { year: 1985, imdb: 'tt0089881' }],
    ['Ran', { year: 1985, imdb: 'tt0000001' }],
    'different',
  ],
  [
    'ids of different services say nothing',
    ['Ran', { year: 1985, imdb: 'tt0089881' }],
    ['Ran', { year: 1985, tmdb: '11645' }],
    'same',
  ],
  ['title and year are equal', ['Ran', { year: 1985 }], ['ran!', { year: 1985 }], 'same'],
  ['one has the article', ['The Third Man', { year: 1949 }], ['Third Man, The', { year: 1949 }], 'same'],
  [
    'one title is the original one of the other',
    ['Ikiru', { year: 1952 }],
    ['To Live', { year: 1952, originalTitle: 'Ikiru' }],
    'same',
  ],
  ['neither has a year', ['Ran'], ['Ran'], 'same'],
  ['one has no facts', ['Ran', { year: 1985, imdb: 'tt0089881' }], ['Ran'], 'year missing'],
  ['one has no year', ['Ran', { year: 1985 }], ['Ran', {}], 'year missing'],
  ['the years are one apart', ['Ran', { year: 1985 }], ['Ran', { year: 1986 }], 'year apart'],
  ['the other is a remake', ['Dune', { year: 1984 }], ['Dune', { year: 2021 }], 'different'],
  ['the other has another title', ['Ran', { year: 1985 }], ['Run', { year: 1985 }], 'different'],
  ['the other has another title and no year', ['Alien'], ['Aliens'], 'different'],
])('two movies are compared correctly when %s', (_what, one, other, is) => {
  expect(compareMovies(aMovie(...one), aMovie(...other))).toBe(is)
  expect(compareMovies(aMovie(...other), aMovie(...one))).toBe(is)
})

test.each([
  ['The Third Man', 'Third Man, The'],
  ['AMÉLIE', 'Amelie'],
  ['Am\u00E9lie', 'Ame\u0301lie'],
  ['Se7en!', 'se7en'],
  ['Das Boot', 'Boot'],
  ['Fast & Furious', 'Fast and Furious'],
  ['Spider-Man: No Way Home', 'Spider Man - No Way Home'],
  ['La Haine', 'la haine'],
])('%s and %s are the same title', (one, other) => {
  expect(plainTitle(one)).toBe(plainTitle(other))
})

test.each([
  ['Alien', 'Aliens'],
  ['Das', 'Der'],
  ['!!!', '???'],
  ['天気の子', '君の名は。'],
])('%s and %s are different titles', (one, other) => {
  expect(plainTitle(one)).not.toBe(plainTitle(other))
})

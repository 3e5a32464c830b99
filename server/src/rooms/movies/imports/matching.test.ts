import { describe, expect, test } from 'vitest'

import { Movie } from '@marquee/contract/entities/movie'

import { createMatcher } from './matching.ts'

type Facts = { year?: number; imdb?: string; originalTitle?: string }

const aMovie = (title: string, { year, imdb, originalTitle }: Facts = {}) => ({
  title,
  movie: Movie.parse({ year, originalTitle, ids: { imdb } }),
})

describe('a row', () => {
  const groups = (card: ReturnType<typeof aMovie>, row: ReturnType<typeof aMovie>) => {
    const matcher = createMatcher()
    matcher.addCard('c1', card)
    return matcher.addRow(0, row).group
  }

  test.each([
    ['of the same id', aMovie('Ran', { imdb: 'tt0089881' }), aMovie('Chaos', { imdb: 'tt0089881' }), 'here'],
    ['of the same title and year', aMovie('Ran', { year: 1985 }), aMovie('ran', { year: 1985 }), 'here'],
    [
      'of the original title',
      aMovie('Ikiru', { year: 1952 }),
      aMovie('To Live', { year: 1952, originalTitle: 'Ikiru' }),
      'here',
    ],
    ['of the same title, both without a year', aMovie('Ran'), aMovie('Ran'), 'here'],
    ['of a title with a year that the card lacks', aMovie('Ran'), aMovie('Ran', { year: 1985 }), 'unsure'],
    ['of a year one later', aMovie('Ran', { year: 1985 }), aMovie('Ran', { year: 1986 }), 'unsure'],
    ['of a remake', aMovie('Dune', { year: 1984 }), aMovie('Dune', { year: 2021 }), 'new'],
    [
      'of the same title and year with another id',
      aMovie('Ran', { year: 1985, imdb: 'tt0089881' }),
      aMovie('Ran', { year: 1985, imdb: 'tt0000001' }),
      'new',
    ],
    ['of another title', aMovie('Ran', { year: 1985 }), aMovie('Run', { year: 1985 }), 'new'],
  ])('a row %s falls into the right group', (_what, card, row, group) => {
    expect(groups(card, row)).toBe(group)
  })

  test('a row that matches two cards is uncertain', () => {
    const matcher = createMatcher()
    matcher.addCard('c1', aMovie('Ran', { year: 1985 }))
    matcher.addCard('c2', aMovie('Ran', { year: 1985 }))

    expect(matcher.addRow(0, aMovie('Ran', { year: 1985 }))).toEqual({ group: 'unsure', cardId: 'c1', sameAs: null })
  })

  test('a row that matches an earlier row refers to it', () => {
    const matcher = createMatcher()
    const matches = [
      matcher.addRow(0, aMovie('Ran', { year: 1985 })),
      matcher.addRow(1, aMovie('Ran', { year: 1985 })),
      matcher.addRow(2, aMovie('Ran')),
    ]

    expect(matches).toEqual([
      { group: 'new', cardId: null, sameAs: null },
      { group: 'same', cardId: null, sameAs: 0 },
      { group: 'unsure', cardId: null, sameAs: 0 },
    ])
  })
})

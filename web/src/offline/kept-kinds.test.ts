import { expect, test } from 'vitest'

import { keptPart, subjectOf } from './kept-kinds.ts'

test.each([
  [['watchlists', 'list'], 'watchlists list', undefined],
  [['watchlists', 'detail', 'w1'], 'watchlists detail', 'w1'],
  [['cards', 'w1', 'feed'], 'cards feed', 'w1'],
  [['comments', 'w1', 'c1'], 'comments', 'w1'],
  [['library', 'w1', 'pages', { sort: 'title' }, undefined], 'library pages', 'w1'],
  [['nights', 'w1'], 'nights', 'w1'],
  [['people', 'person', 'ana'], 'people person', undefined],
])('the query %j is kept as %s', (key, kind, watchlistId) => {
  expect(subjectOf(key)).toEqual({ kind, watchlistId })
})

test.each([
  [['cards', 'w1', 'suggestions']],
  [['invitations', 'received']],
  [['account', 'tokens']],
  [['comments', 'w1']],
  [['nights', 'w1', 'votes']],
  [['viewings', 'w1', 'c1']],
])('the query %j is not kept', (key) => {
  expect(subjectOf(key)).toBeUndefined()
})

test('a stored reply has only the fields of the contract and the first three pages', () => {
  const page = { cards: [], nextToken: null, version: 'v1', secret: 'x' }

  const kept = keptPart('cards feed', { pages: [page, page, page, page], pageParams: [undefined, 'a', 'b', 'c'] })

  const part = { cards: [], nextToken: null, version: 'v1' }
  expect(kept).toEqual({ pages: [part, part, part], pageParams: [undefined, 'a', 'b'] })
})

test('a reply with an unexpected shape is dropped', () => {
  expect(keptPart('watchlists list', [{ id: 'w1' }])).toBeUndefined()
})

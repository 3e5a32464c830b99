import { expect, test } from 'vitest'

import { breaks } from '../promises/breaks.ts'
import type { Fields, Surface } from '../promises/surface.ts'
import { breaksSinceRelease } from '../run/promises.ts'
import { read } from './repository.ts'

const nothing: Surface = {
  version: '1.0.0',
  calls: {},
  webhooks: {},
  exports: { written: {}, read: {} },
  settings: {},
}
const text = { types: ['string'] }

function withCall(given: { takes?: Fields; replies?: Fields; status?: string; guests?: boolean }): Surface {
  return { ...nothing, calls: { 'GET /films': { status: '200', guests: true, takes: {}, replies: {}, ...given } } }
}

test('the changelog names exactly the breaking changes since the last release', () => {
  const [, unreleased = ''] = /^## \[Unreleased\]$([\s\S]*?)^## /mu.exec(read('CHANGELOG.md')) ?? []
  const [, broken = ''] = /^### Breaking$([\s\S]*?)(?:^### |$(?![\s\S]))/mu.exec(unreleased) ?? []
  const named = [...broken.matchAll(/`([^`]+)`/gu)].map(([, sentence]) => sentence)

  expect(new Set(named)).toEqual(new Set(breaksSinceRelease()))
})

test.each<[string, Surface, Surface, string[]]>([
  ['a call that is gone', withCall({}), nothing, ['call GET /films is gone']],
  ['a new call', nothing, withCall({}), []],
  ['a call with another status', withCall({}), withCall({ status: '204' }), ['GET /films answers 204 in place of 200']],
  ['a call that needs a sign-in', withCall({}), withCall({ guests: false }), ['GET /films needs a sign-in']],
  [
    'a field of a reply that is gone',
    withCall({ replies: { film: { types: ['object'] }, 'film.title': text } }),
    withCall({}),
    ['GET /films no longer gives film'],
  ],
  ['a new field of a reply', withCall({}), withCall({ replies: { title: text } }), []],
  [
    'a field of a reply that may be null or absent',
    withCall({ replies: { title: text } }),
    withCall({ replies: { title: { types: ['null', 'string'], optional: true } } }),
    ['GET /films gives null as title', 'GET /films may lack title'],
  ],
  [
    'a new value of a reply',
    withCall({ replies: { state: { ...text, values: ['on'] } } }),
    withCall({ replies: { state: { ...text, values: ['off', 'on'] } } }),
    [],
  ],
  [
    'a field that is required',
    withCall({ takes: { year: { types: ['integer'], optional: true } } }),
    withCall({ takes: { year: { types: ['integer'] }, title: text } }),
    ['GET /films requires year', 'GET /films requires title'],
  ],
  [
    'a field that is required in a new object only',
    withCall({}),
    withCall({ takes: { film: { types: ['object'], optional: true }, 'film.title': text } }),
    [],
  ],
  ['a field that is no longer taken', withCall({ takes: { a: text } }), withCall({}), ['GET /films no longer takes a']],
  [
    'a field that takes less',
    withCall({ takes: { title: { types: ['null', 'string'], values: ['a', 'b'], most: 9, least: 1 } } }),
    withCall({ takes: { title: { types: ['string'], values: ['a'], most: 8, least: 2 } } }),
    [
      'GET /films takes no null as title',
      'GET /films takes no "b" as title',
      'GET /films takes at most 8 as title',
      'GET /films takes at least 2 as title',
    ],
  ],
  [
    'a message of a webhook with less',
    { ...nothing, webhooks: { test: { by: text }, gone: {} } },
    { ...nothing, webhooks: { test: {} } },
    ['webhook gone is gone', 'webhook test no longer gives by'],
  ],
  [
    'an export with less, and a restore that takes less',
    { ...nothing, exports: { written: { a: text }, read: { b: { ...text, most: 2 } } } },
    { ...nothing, exports: { written: {}, read: { b: { ...text, most: 1 } } } },
    ['export no longer gives a', 'restore takes at most 1 as b'],
  ],
  [
    'settings',
    {
      ...nothing,
      settings: { GONE: { ...text, optional: true }, LEVEL: { ...text, optional: true, standard: 'low' } },
    },
    { ...nothing, settings: { LEVEL: { ...text, optional: true, standard: 'high' }, MUST: text } },
    ['setting GONE is gone', 'setting MUST is required', 'setting LEVEL is high by default'],
  ],
])('exactly the breaking changes are reported for %s', (_what, before, now, expected) => {
  expect(breaks(before, now)).toEqual(expected)
})

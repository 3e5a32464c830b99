import fc, { type Arbitrary } from 'fast-check'

import { type EndpointName, ENDPOINTS, MAX_BODY_BYTES } from '@marquee/contract/endpoints'
import type { Endpoint } from '@marquee/contract/endpoints'

const TIME = '2025-01-01T12:00:00.000Z'

/** A JSON value of about so many characters that is deep, wide, repetitive or long. */
const SHAPES: Readonly<Record<string, (length: number) => string>> = {
  deep: (length) => `${'['.repeat(length / 2)}${']'.repeat(length / 2)}`,
  'deep without an end': (length) => '['.repeat(length),
  'deep objects': (length) => `${'{"a":'.repeat(length / 6)}1${'}'.repeat(length / 6)}`,
  wide: (length) => `[${'0,'.repeat(length / 2)}0]`,
  'wide objects': (length) => `{${Array.from({ length: length / 12 }, (_, n) => `"k${n}":0`).join(',')}}`,
  'many objects': (length) => `[${'{},'.repeat(length / 3)}{}]`,
  'one key again and again': (length) => `{${'"a":1,'.repeat(length / 6)}"a":1}`,
  long: (length) => `"${'x'.repeat(length)}"`,
  'many escapes': (length) => `"${String.raw`\u0041`.repeat(length / 6)}"`,
}

/** Files that are deep, wide, repetitive or long, of about so many characters. */
const FILES: Readonly<Record<string, (length: number) => string>> = {
  'list.json': (length) => '['.repeat(length),
  'history.json': (length) => `[${'{},'.repeat(length / 3)}{}]`,
  'watched.csv': (length) => `Title${','.repeat(length)}`,
  'ratings.csv': (length) => `Title\n${'"'.repeat(length)}`,
  'diary.csv': (length) => `Title,Year\n${'Alien,1979\n'.repeat(length / 11)}`,
  'titles.txt': (length) => '\n'.repeat(length),
  'all.zip': (length) => `PK\u0003\u0004${'\0'.repeat(length)}`,
}

/** Mostly short: a long one takes the time of hundreds of other requests. */
function lengthUpTo(limit: number): Arbitrary<number> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 1_000, max: Math.min(limit, 60_000) }) },
    { weight: 1, arbitrary: fc.integer({ min: 1_000, max: limit }) },
  )
}

const shaped = (limit: number): Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...Object.values(SHAPES)), lengthUpTo(limit))
    .map(([shape, length]) => shape(Math.floor(length)))

/** Bodies of an endpoint that would take much time or memory to parse; undefined if it takes none. */
export function hostileBodyTo(operationId: string): Arbitrary<{ raw: string }> | undefined {
  const { body, bodyLimit = MAX_BODY_BYTES }: Endpoint = ENDPOINTS[operationId as EndpointName]
  if (!body) return undefined
  const names = Object.keys(body.shape)
  const field = fc
    .tuple(fc.constantFrom(...names), shaped(bodyLimit))
    .map(([name, value]) => ({ raw: `{"${name}":${value}}` }))
  const whole = shaped(bodyLimit).map((raw) => ({ raw }))
  if (operationId === 'beginImport') return fc.oneof(field, whole, file(bodyLimit))
  if (operationId === 'restoreWatchlist') return fc.oneof(field, whole, cards(bodyLimit))
  return fc.oneof(field, whole)
}

function file(limit: number): Arbitrary<{ raw: string }> {
  return fc
    .tuple(fc.constantFrom(...Object.entries(FILES)), lengthUpTo(limit / 2))
    .map(([[fileName, make], length]) => ({
      raw: JSON.stringify({ fileName, fileData: Buffer.from(make(Math.floor(length))).toString('base64') }),
    }))
}

/** Files to restore that are right but for one card, or for the number of their cards. */
function cards(limit: number): Arbitrary<{ raw: string }> {
  const watchlist = { name: 'Films', description: null, isPrivate: true, createdAt: TIME, members: [] }
  const frame = JSON.stringify({ format: 'marquee-watchlist', version: 1, watchlist }).slice(0, -1)
  return shaped(limit).map((value) => ({ raw: `${frame},"cards":[${value}]}` }))
}

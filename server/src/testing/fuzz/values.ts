import fc, { type Arbitrary } from 'fast-check'

import type { JsonSchema } from '../../openapi/document-types.ts'
import { Known } from './known.ts'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

const IMAGES = [
  'https://example.org/poster.jpg',
  `data:image/png;base64,${PIXEL}`,
  `data:image/png;base64,${PIXEL.slice(0, 40)}`,
  'data:image/png;base64,',
  'data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=',
  `data:image/gif;base64,${'R0lGOD'.repeat(50_000)}`,
  'data:,',
  'javascript:alert(1)',
]

/** Addresses of this machine and its network only: no request of a test leaves the machine. */
const URLS = [
  'http://127.0.0.1/a.png',
  'http://[::1]:9/a.png',
  'http://0x7f000001/',
  'http://169.254.169.254/latest/meta-data',
  'http://[::ffff:10.0.0.1]/',
  'ftp://127.0.0.1/a.png',
  'http://user:password@127.0.0.1/',
  'file:///etc/passwd',
  'http://',
]

/** Text of every kind: empty, control and NUL characters, lone surrogates, right-to-left, combining, very long. */
export const anyText: Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 6, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      '',
      ' ',
      '\0',
      'a\0b',
      '\uD800',
      'x\uDFFFy',
      '\u202Eabc',
      'e\u0301'.repeat(30),
      '👩‍👩‍👧‍👦'.repeat(20),
      "'; drop table card; --",
      '%00',
      '../../etc/passwd',
      '__proto__',
      'constructor',
      '\r\nset-cookie: a=b',
      '{{7*7}}',
      '<script>alert(1)</script>',
      '99999999999999999999',
      '-1',
      '1e999',
      'NaN',
      'null',
      'true',
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(129, 301, 2_001, 5_001, 200_000).map((length) => 'ü'.repeat(length)) },
)

/** Values of another type that may pass for the right one: a string, a list, a promise, a prototype, a small number. */
const POSERS: readonly unknown[] = [
  { length: { toString: 1, valueOf: 1 } },
  { length: 3, toString: null },
  { length: -1 },
  { size: { valueOf: 1 } },
  { toString: 1, valueOf: 1 },
  { toJSON: 1 },
  JSON.parse('{"then": 1}'),
  [{ length: {} }],
  { constructor: { prototype: { isAdmin: true } } },
  JSON.parse('{"__proto__": {"length": 1}}'),
  Number.MAX_SAFE_INTEGER + 2,
  Number.MIN_VALUE,
  nested(200),
]

function nested(depth: number): unknown {
  return depth === 0 ? 'deep' : [nested(depth - 1)]
}

export const anyJson: Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) },
  { weight: 4, arbitrary: fc.constantFrom(...POSERS) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], {}, [[[[]]]], 0, -0, 1e308, true, '') },
  { weight: 1, arbitrary: anyText },
)

/** Fields whose valid values cannot be generated at random. */
function special(name: string): Arbitrary<unknown> | undefined {
  if (name === 'image' || name === 'imageData') return fc.constantFrom(...IMAGES)
  if (name === 'url') {
    return fc.oneof(
      fc.constantFrom(...URLS),
      fc.nat({ max: 100 }).map((nth) => new Known('hostilePage', nth)),
    )
  }
  if (name === 'timeZone') return fc.constantFrom('UTC', 'Europe/Berlin', 'Europe/Atlantis')
  if (name === 'startsAt') return fc.constantFrom('2098-11-28T19:00:00.000Z', '2098-11-28T20:00:00.000Z')
  if (name === 'times') return fc.constantFrom(['2098-11-28T20:00'], ['2098-11-28T20:00', '2020-02-30T20:00'])
  if (['watchlistId', 'cardId', 'commentId', 'nightId', 'username', 'token', 'nextToken'].includes(name)) {
    return fc.nat({ max: 1_000 }).map((nth) => new Known(name, nth))
  }
  return undefined
}

/** A value that the schema accepts, or nearly. */
function fitting(name: string, schema: JsonSchema): Arbitrary<unknown> {
  const values = special(name)
  if (values) return values
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((part) => fitting(name, part)))
  const types = typeof schema.type === 'object' ? schema.type : [schema.type]
  return fc.oneof(...types.map((type) => ofType(type, schema)))
}

function ofType(type: string | undefined, schema: JsonSchema): Arbitrary<unknown> {
  if (type === 'string') return fc.oneof(fc.constantFrom('Paris, Texas', 'Zoë 🎬'), anyText)
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type !== 'integer') return anyJson
  return fc.integer({ min: Number(schema['minimum'] ?? 0), max: Number(schema['maximum'] ?? 100) })
}

/** Mostly a valid value, sometimes any other. */
export function valueFor(name: string, schema: JsonSchema): Arbitrary<unknown> {
  return mostly(fitting(name, schema))
}

/** Mostly this value, sometimes any other. */
export function mostly(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 20, arbitrary: value },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: anyJson },
  )
}

/** A body for an object schema. */
export function bodyFor({ properties = {} }: JsonSchema): Arbitrary<unknown> {
  return bodyOf(Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, valueFor(name, schema)])))
}

/** A body with these fields: mostly complete, sometimes with a missing or an extra field, sometimes another value. */
export function bodyOf(fields: Readonly<Record<string, Arbitrary<unknown>>>): Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.record(fields) },
    { weight: 2, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.record(fields), fc.dictionary(anyText, anyJson, { maxKeys: 3 }))
        .map(([body, more]) => ({ ...more, ...body })),
    },
    { weight: 1, arbitrary: anyJson },
  )
}

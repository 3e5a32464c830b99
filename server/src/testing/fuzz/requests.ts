import fc, { type Arbitrary } from 'fast-check'

import type { OpenApiDocument, Operation } from '../../openapi/document-types.ts'
import { Known } from './known.ts'
import { anyText, bodyFor, valueFor } from './values.ts'

/** A request that is still to be filled in with what is known when it is sent. */
export type FuzzRequest = {
  readonly operation: Operation
  readonly template: string
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly query: readonly (readonly [name: string, value: unknown])[]
  readonly headers: Readonly<Record<string, unknown>>
  /** Who sends it, by number; one further is nobody, and one further still somebody with a token that is none. */
  readonly caller: number
  readonly body: { readonly raw: string } | { readonly json: unknown } | undefined
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const JSON_TYPE = 'application/json'
const CONTENT_TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=nonsense',
  'APPLICATION/JSON',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/problem+json',
  ',',
  '',
]
const NO_JSON = [
  '',
  '{',
  '{"a":1,}',
  'null',
  '[]',
  '"',
  '\uFEFF{}',
  '{"__proto__":{}}',
  '{"a":NaN}',
  `${'['.repeat(20_000)}`,
]
const SEALS = ['*', 'W/"1"', '"', 'W/"0", W/"1"', 'nonsense']

/** Requests to every operation of the document: right ones, nearly right ones, and wrong ones of every kind. */
export function fuzzRequests({ paths }: OpenApiDocument, callers: number): Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...Object.entries(paths).flatMap(([template, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        requestTo({ template, method: method.toUpperCase(), operation }, callers),
      ),
    ),
  )
}

function requestTo(
  { template, method, operation }: { template: string; method: string; operation: Operation },
  callers: number,
): Arbitrary<FuzzRequest> {
  const fields = (where: 'path' | 'query') => (operation.parameters ?? []).filter((parameter) => parameter.in === where)
  return fc.record({
    operation: fc.constant(operation),
    template: fc.constant(template),
    method: fc.oneof(
      { weight: 15, arbitrary: fc.constant(method) },
      { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
    ),
    params: fc.record(Object.fromEntries(fields('path').map(({ name, schema }) => [name, valueFor(name, schema)]))),
    query: fc.array(
      fc.oneof(
        ...fields('query').map(({ name, schema }) => fc.tuple(fc.constant(name), valueFor(name, schema))),
        fc.tuple(anyText, anyText),
      ),
      { maxLength: 3 },
    ),
    headers: headersFor(operation),
    caller: fc.oneof(
      { weight: 12, arbitrary: fc.nat({ max: callers - 1 }) },
      { weight: 1, arbitrary: fc.constantFrom(callers, callers + 1) },
    ),
    body: bodyOf(operation),
  })
}

function headersFor(operation: Operation): Arbitrary<Record<string, unknown>> {
  const visible = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code)) })
  return fc.record(
    {
      'content-type': fc.oneof(
        { weight: 12, arbitrary: fc.constant(JSON_TYPE) },
        { weight: 1, arbitrary: fc.constantFrom(...CONTENT_TYPES) },
      ),
      'idempotency-key': fc.oneof(
        {
          weight: 8,
          arbitrary: fc.nat({ max: 500 }).map((nth) => `key-of-a-request-${operation.operationId}-${nth}`),
        },
        { weight: 1, arbitrary: visible },
      ),
      'if-none-match': fc.oneof(
        fc.nat({ max: 50 }).map((nth) => new Known('etag', nth)),
        fc.constantFrom(...SEALS),
      ),
      accept: fc.constantFrom('application/json', 'text/html', '*/*', 'text/event-stream', 'nonsense'),
    },
    { requiredKeys: ['content-type'] },
  )
}

function bodyOf({ requestBody }: Operation): Arbitrary<FuzzRequest['body']> {
  const raw = fc.record({ raw: fc.oneof(fc.constantFrom(...NO_JSON), anyText) })
  const schema = requestBody?.content[JSON_TYPE]?.schema
  if (!schema) return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: raw })
  return fc.oneof(
    { weight: 20, arbitrary: fc.record({ json: bodyFor(schema) }) },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

import fc, { type Arbitrary } from 'fast-check'

import type { OpenApiDocument, Operation } from '../../openapi/document-types.ts'
import { hostileBodyTo } from './hostile-bodies.ts'
import { Known } from './known.ts'
import { callerOf, type FuzzRequest, headerText, isCut, rawBody } from './parts.ts'
import { anyText, bodyFor, valueFor } from './values.ts'

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
const SEALS = ['*', 'W/"1"', '"', 'W/"0", W/"1"', 'nonsense']

/** Requests to every operation of the document: valid, nearly valid, and invalid in every way. */
export function apiRequests({ paths }: OpenApiDocument, users: number): Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) =>
        requestTo({ path, method: method.toUpperCase(), operation }, users),
      ),
    ),
  )
}

function requestTo(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  users: number,
): Arbitrary<FuzzRequest> {
  const fields = (where: 'path' | 'query') => (operation.parameters ?? []).filter((parameter) => parameter.in === where)
  return fc.record({
    name: fc.constant(operation.operationId),
    path: fc.constant(`/api${path}`),
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
    caller: callerOf(users),
    body: bodyTo(operation),
    isCut,
  })
}

function headersFor(operation: Operation): Arbitrary<Record<string, unknown>> {
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
        { weight: 1, arbitrary: headerText },
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

function bodyTo({ requestBody, operationId }: Operation): Arbitrary<FuzzRequest['body']> {
  const schema = requestBody?.content[JSON_TYPE]?.schema
  if (!schema) return fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: rawBody })
  const hostile = hostileBodyTo(operationId)
  return fc.oneof(
    { weight: 20, arbitrary: fc.record({ json: bodyFor(schema) }) },
    { weight: 1, arbitrary: rawBody },
    ...(hostile ? [{ weight: 1, arbitrary: hostile }] : []),
    { weight: 1, arbitrary: fc.constant(undefined) },
  )
}

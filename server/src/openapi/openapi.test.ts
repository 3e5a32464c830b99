import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'

import { type Endpoint, type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { type ProblemKey, PROBLEMS } from '@marquee/contract/problems'
import { anyDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from '../migrations/index.ts'
import { startApp, type TestApp } from '../testing/start-app.ts'
import type { OpenApiDocument, Operation, Response } from './document-types.ts'
import { exampleOf } from './examples.ts'
import { templateOf } from './operation.ts'
import samples from './samples.json' with { type: 'json' }

const names = Object.keys(ENDPOINTS) as EndpointName[]

anyDatabase({ product: productMigrations }, (theDatabase) => {
  let started: TestApp & { stop: () => Promise<void> }
  let document: OpenApiDocument

  beforeAll(async () => {
    started = await startApp(theDatabase())
    document = (await started.app.inject('/api/openapi.json')).json()
  })
  afterAll(async () => {
    await started.stop()
  })

  const endpointOf = (name: EndpointName): Endpoint => ENDPOINTS[name]
  const operationOf = (name: EndpointName): Operation => {
    const endpoint = endpointOf(name)
    const operation = document.paths[templateOf(endpoint)]?.[endpoint.method.toLowerCase()]
    if (!operation) throw new Error(`${name} is not in the document`)
    return operation
  }
  const resolve = (ref: string): unknown =>
    ref
      .replace(/^#\//u, '')
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown> | undefined)?.[key], document)
  const responseOf = (name: EndpointName, status: number): Response => {
    const response = operationOf(name).responses[status]
    if (!response) throw new Error(`${name} has no answer ${status}`)
    return '$ref' in response ? (resolve(response.$ref) as Response) : response
  }

  describe('the document', () => {
    test('the document is public', async () => {
      const { statusCode, headers } = await started.app.inject('/api/openapi.json')

      expect(statusCode).toBe(200)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(document.openapi).toBe('3.1.0')
    })

    test('the document has exactly the calls of the contract, under their names', () => {
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path))

      expect(operations.map((operation) => operation.operationId).toSorted()).toEqual(names.toSorted())
    })

    test('the document has no broken reference', () => {
      const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/gu)].map(([, ref = '']) => ref)

      expect(refs.length).toBeGreaterThan(100)
      expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([])
    })

    test('the document has no unused schema', () => {
      const text = JSON.stringify(document)
      const unused = Object.keys(document.components.schemas).filter(
        (name) => !text.includes(`#/components/schemas/${name}`),
      )

      expect(unused).toEqual([])
    })

    test('each field with a sample is in the document', () => {
      const fields = new Set([...JSON.stringify(document).matchAll(/"(\w+)"/gu)].map(([, field]) => field))
      const parts = Object.keys(samples.fields).flatMap((key) => key.split('.'))

      expect(parts.filter((part) => !fields.has(part))).toEqual([])
    })

    test.each(Object.entries(samples.calls))('the example of %s has its own samples', (name, own) => {
      expect(exampleOf(name as EndpointName)).toMatchObject(own)
    })
  })

  describe.each(names)('%s', (name) => {
    test('the call has its summary, its security and its parameters', () => {
      const endpoint = endpointOf(name)
      const operation = operationOf(name)
      const inPath = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')

      expect(operation.summary).toBe(endpoint.summary)
      expect(operation.tags).toHaveLength(1)
      const signIn = [{ idToken: [] }]
      const required = [...signIn, { personalToken: [] }]
      const security = {
        required,
        'sign-in': signIn,
        'user-or-pass': [...required, { nightPass: [] }],
        'by-link': [...required, {}],
        none: [],
      }
      expect(operation.security).toEqual(security[endpoint.auth])
      expect(inPath.map((parameter) => `:${parameter.name}`)).toEqual(endpoint.path.match(/:\w+/gu) ?? [])
      expect(inPath.every((parameter) => parameter.required)).toBe(true)
      expect(operation.requestBody !== undefined).toBe(endpoint.body !== undefined)
      const headers = (operation.parameters ?? []).filter((parameter) => parameter.in === 'header')
      expect(headers.some((header) => header.name === 'Idempotency-Key')).toBe(endpoint.takesKey === true)
    })

    test('the call documents all its replies', () => {
      const endpoint = endpointOf(name)
      const keys: ProblemKey[] = [
        ...endpoint.errors,
        'BAD_REQUEST',
        'SERVER_ERROR',
        ...(endpoint.auth !== 'none' ? (['UNAUTHORIZED'] as const) : []),
        'TOO_MANY_REQUESTS',
        ...(endpoint.body === undefined ? [] : (['UNSUPPORTED_MEDIA_TYPE', 'PAYLOAD_TOO_LARGE'] as const)),
      ]

      expect(responseOf(name, endpoint.status).description).not.toBe('')
      for (const key of keys) {
        const { status, message } = PROBLEMS[key]
        const problem = responseOf(name, status).content?.['application/json']
        expect(problem?.schema).toEqual({ $ref: '#/components/schemas/Problem' })
        expect(problem?.example).toMatchObject({ message })
      }
    })

    test('the call has examples that match its schemas', () => {
      const endpoint = endpointOf(name)
      const operation = operationOf(name)
      const given = (where: 'path' | 'query') =>
        Object.fromEntries(
          (operation.parameters ?? []).flatMap(({ name: field, in: place, example }) =>
            place === where && example !== undefined ? [[field, example]] : [],
          ),
        )
      const answer = responseOf(name, endpoint.status).content
      const check = (schema: z.ZodType | undefined, example: unknown) => {
        expect(schema?.safeParse(example).error).toBeUndefined()
      }

      check(endpoint.params, given('path'))
      check(endpoint.query, given('query'))
      check(endpoint.body, operation.requestBody?.content['application/json']?.example)
      check(endpoint.reply, answer?.['application/json']?.example)
      const stream = answer?.['text/event-stream']?.example
      const events = typeof stream === 'string' ? stream : ''
      for (const [, data = ''] of events.matchAll(/^data: (.+)$/gmu)) check(endpoint.events, JSON.parse(data))
      expect(events !== '').toBe(endpoint.events !== undefined)
    })
  })

  test('the headers of repeated requests, rate limits and versions are documented', () => {
    expect(responseOf('addCard', 201).headers).toHaveProperty('Idempotency-Replayed')
    expect(responseOf('addCard', 429).headers).toHaveProperty('Retry-After')
    expect(responseOf('listCards', 200).headers).toHaveProperty('ETag')
    expect(responseOf('listCards', 304).content).toBeUndefined()
  })

  describe('the documentation page', () => {
    test.each(['/api/docs', '/api/docs/'])('%s shows every call, without script or inline style', async (url) => {
      const { statusCode, headers, body } = await started.app.inject(url)

      expect(statusCode).toBe(200)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      for (const name of names) expect(body).toContain(`id="${name}"`)
      expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/u)
    })

    test('the documentation page has no broken link', async () => {
      const { body } = await started.app.inject('/api/docs')
      const ids = new Set([...body.matchAll(/\sid="([^"]+)"/gu)].map(([, id]) => id))
      const links = [...body.matchAll(/\shref="([^"]+)"/gu)].map(([, href = '']) => href)

      expect(links.filter((href) => href.startsWith('#') && !ids.has(href.slice(1)))).toEqual([])
      for (const url of new Set(links.filter((href) => !href.startsWith('#')))) {
        expect((await started.app.inject(url)).statusCode).toBe(200)
      }
    })

    test.each(['/api/docs', '/api/openapi.json', '/api/docs.css'])('%s allows only GET and HEAD', async (url) => {
      const { statusCode, headers } = await started.app.inject({ method: 'POST', url })

      expect(statusCode).toBe(405)
      expect(headers['allow']).toBe('GET, HEAD')
    })
  })
})

import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { beforeAll, expect, test } from 'vitest'

import { epochSeconds, systemClock } from '@marquee/platform/runtime/clock'
import { eachDatabase } from '@marquee/platform/testing/each-database'

import { productMigrations } from './migrations/index.ts'
import type { OpenApiDocument } from './openapi/document-types.ts'
import { aCard, aUser, aWatchlist } from './testing/make.ts'
import { faultOf } from './testing/fuzz/judge.ts'
import { createKnowledge } from './testing/fuzz/known.ts'
import { type FuzzRequest, fuzzRequests } from './testing/fuzz/requests.ts'
import { anApp } from './testing/start-app.ts'
import { testToken } from './testing/test-accounts.ts'

const SEED = 20_261_120
const REQUESTS = 10_000
const AT_ONCE = 16
const TAKES_AT_MOST_MS = 240_000
const NO_PERSON = 'Bearer test.nobody'

eachDatabase({ product: productMigrations }, (theDatabase) => {
  const theApp = anApp(theDatabase, { imageFetch: { timeoutMs: 200 } })
  const knowledge = createKnowledge()
  const people = ['ana', 'ben', 'Zoë 🎬', 'eve'].map((username) => aUser(username))

  beforeAll(async () => {
    for (const owner of people) {
      const members = people.filter((person) => person !== owner).slice(0, 2)
      const { watchlist } = await aWatchlist(theApp(), { owner, members })
      knowledge.learnFrom(watchlist, {})
      for (const status of ['REVEALED', 'SUGGESTED', 'WATCHED', 'REVEALED'] as const) {
        knowledge.learnFrom(await aCard(theApp(), { inside: watchlist, by: owner, status }), {})
      }
    }
  })

  function toOptions(request: FuzzRequest): InjectOptions & { method: string; url: string } {
    const text = (value: unknown) => {
      const filled = knowledge.fill(value)
      return (typeof filled === 'string' ? filled : JSON.stringify(filled)).toWellFormed()
    }
    const params = knowledge.fillPlace(request.params)
    const path = request.template.replaceAll(/\{(\w+)\}/gu, (_match, name: string) =>
      encodeURIComponent(text(params[name])),
    )
    const query = request.query.map(
      ([name, value]) => `${encodeURIComponent(text(name))}=${encodeURIComponent(text(value))}`,
    )
    const isStream = request.operation.operationId === 'watchlistEvents'
    const person = people[request.caller]
    // Whoever listens to a stream does so for a second: the reply is there when the token ends.
    const expiresAt = isStream ? String(epochSeconds(systemClock) + 1) : undefined
    const authorization = person ? `Bearer ${testToken(person, expiresAt)}` : NO_PERSON
    const { body } = request
    const payload = body && ('raw' in body ? body.raw : JSON.stringify(knowledge.fill(body.json)))
    return {
      method: request.method as NonNullable<InjectOptions['method']>,
      url: `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: {
        ...Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, text(value)])),
        ...(request.caller !== people.length && { authorization }),
      },
      ...(payload !== undefined && { payload }),
    }
  }

  function learnFrom(url: string, response: LightMyRequestResponse): void {
    const [, watchlistId = ''] = /\/watchlists\/([^/?]+)/u.exec(url) ?? []
    if (response.headers.etag !== undefined) knowledge.learn('etag', response.headers.etag)
    const isJson = response.headers['content-type']?.startsWith('application/json') === true && response.body !== ''
    if (response.statusCode < 400 && isJson) knowledge.learnFrom(response.json(), { watchlistId })
  }

  async function send(request: FuzzRequest): Promise<{ status: number; fault: string | undefined }> {
    const options = toOptions(request)
    const response = await theApp().app.inject(options)
    const fault = faultOf(options.method, options.url, response)
    learnFrom(options.url, response)
    const told = `${options.method} ${options.url.slice(0, 300)} ${JSON.stringify(options).slice(0, 800)}`
    return { status: response.statusCode, fault: fault === undefined ? undefined : `${told} ${fault}` }
  }

  test(
    'ten thousand requests made from the OpenAPI document are all answered as it says',
    async () => {
      const document: OpenApiDocument = (await theApp().app.inject('/api/openapi.json')).json()
      const requests = fc.sample(fuzzRequests(document, people.length), { seed: SEED, numRuns: REQUESTS })
      const faults: string[] = []
      const statuses = new Map<number, number>()

      const waiting = requests.values()
      const keepSending = async () => {
        for (const request of waiting) {
          const { status, fault } = await send(request)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (fault !== undefined) faults.push(fault)
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, keepSending))

      expect(faults.slice(0, 10)).toEqual([])
      expect(theApp().logged()).toBe('')
      // Each kind of answer came often enough for the claim to mean something.
      for (const status of [200, 201, 204, 400, 401, 403, 404]) expect(statuses.get(status)).toBeGreaterThan(50)
      for (const status of [304, 405, 415]) expect(statuses.get(status)).toBeGreaterThan(5)
    },
    TAKES_AT_MOST_MS,
  )
})

// @vitest-environment node
/// <reference types="node" />
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { LiveEvent } from '@marquee/contract/live-events'
import { afterEach, beforeEach, expect, test } from 'vitest'

import { holdLiveStream } from './live-stream.ts'
import { type Moment, momentBefore } from './read-times.ts'

const EVENT: LiveEvent = { kind: 'card-revealed', watchlistId: 'w1', cardId: 'c1', by: 'Ben' }

type Connection = { authorization: string | undefined; response: ServerResponse }

let server: Server
let url: string
/** How the server answers the connections, in order. The last answer is repeated. */
let answers: ((response: ServerResponse) => void)[]
let connections: Connection[]
let waits: number[]
let reports: string[]
/** Since when what was read is up to date, at each opening. */
let opened: Moment[]
let leave: AbortController
let held: Promise<void>
let token: string | undefined
let allowsGuests: boolean
let renewed: string | undefined

const stream =
  (...pieces: string[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const piece of [': open\n\n', ...pieces]) response.write(piece)
  }
const endedStream = (response: ServerResponse) => response.writeHead(200).end(': open\n\n')
const status = (code: number) => (response: ServerResponse) => response.writeHead(code).end()
const data = (event: unknown) => `data: ${JSON.stringify(event)}\n\n`

beforeEach(async () => {
  connections = []
  waits = []
  reports = []
  opened = []
  renewed = undefined
  token = 'token-1'
  allowsGuests = false
  leave = new AbortController()
  server = createServer((request, response) => {
    connections.push({ authorization: request.headers.authorization, response })
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterEach(async () => {
  leave.abort()
  await held
  server.closeAllConnections()
  server.close()
})

function hold(...given: ((response: ServerResponse) => void)[]): void {
  answers = given
  held = holdLiveStream(
    {
      fetch: async (...request) => fetch(...request),
      wait: async (ms) => {
        waits.push(ms)
        if (waits.length > 8) leave.abort()
      },
      random: () => 1,
      allowsGuests: () => allowsGuests,
      session: { idToken: async () => token, renewedIdToken: async () => renewed },
    },
    url,
    {
      onEvent: ({ kind, by }) => reports.push(`${kind} by ${by}`),
      onOpen: (moment) => {
        reports.push('open')
        opened.push(moment)
      },
      onGone: () => reports.push('gone'),
    },
    leave.signal,
  )
}

test('events are delivered as they arrive, and unknown events are ignored', async () => {
  const [half, otherHalf] = [data(EVENT).slice(0, 20), data(EVENT).slice(20)]
  hold(stream('retry: 2000\n: open\n\n', data(EVENT), 'data: nonsense\n\n', data({ kind: 'news' }), half, otherHalf))

  await expect.poll(() => reports).toEqual(['open', 'card-revealed by Ben', 'card-revealed by Ben'])
  expect(connections.map(({ authorization }) => authorization)).toEqual(['Bearer token-1'])
})

test('opening a stream reports since when nothing has happened on the server', async () => {
  const quiet = (response: ServerResponse) => response.setHeader('marquee-quiet-ms', '60000')
  const before = momentBefore(59_000)
  hold((response) => stream()(quiet(response)), endedStream)
  await expect.poll(() => opened).toHaveLength(1)
  connections[0]?.response.destroy()
  await expect.poll(() => opened.length).toBeGreaterThan(1)

  const [first, second] = opened
  expect([first?.elapsed, second?.elapsed].map((elapsed = NaN) => elapsed < before.elapsed)).toEqual([true, false])
})

test('a stream that ends is reopened after a second, and each opening is reported', async () => {
  hold(endedStream, endedStream, stream())

  await expect.poll(() => reports).toHaveLength(3)
  expect(waits).toEqual([1_000, 1_000])
})

test('the reconnect delay grows while the server cannot be reached', async () => {
  hold((response) => response.destroy())

  await held
  expect(waits.slice(0, 7)).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000])
  expect(reports).toEqual([])
})

test.each([403, 404])('a stream refused with status %i is reported as gone and not retried', async (code) => {
  hold(status(code))

  await held
  expect(reports).toEqual(['gone'])
  expect(connections).toHaveLength(1)
})

test('an expired token is renewed and the stream is opened again', async () => {
  renewed = 'token-2'
  hold(status(401), stream(data(EVENT)))

  await expect.poll(() => reports).toEqual(['open', 'card-revealed by Ben'])
  expect(connections.map(({ authorization }) => authorization)).toEqual(['Bearer token-1', 'Bearer token-2'])
})

test('aborting closes the connection and opens no other', async () => {
  hold(stream())
  await expect.poll(() => reports).toHaveLength(1)

  leave.abort()
  await held

  await expect.poll(() => connections[0]?.response.destroyed).toBe(true)
  expect([connections.length, waits]).toEqual([1, []])
})

test('a guest listens without a token if guests are allowed', async () => {
  token = undefined
  allowsGuests = true
  hold(stream(data(EVENT)))

  await expect.poll(() => reports).toEqual(['open', 'card-revealed by Ben'])
  expect(connections.map(({ authorization }) => authorization)).toEqual([undefined])
})

test('no stream is opened without a token if guests are not allowed', async () => {
  token = undefined
  hold(stream(data(EVENT)))

  await held
  expect(reports).toEqual(['gone'])
  expect(connections).toEqual([])
})

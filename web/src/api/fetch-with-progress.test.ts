/// <reference types="node" />
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { fetchWithProgress } from './fetch-with-progress.ts'

const BODY = JSON.stringify({ imageData: 'x'.repeat(300_000) })

let server: Server
let url: string
let respond: (response: ServerResponse) => void

/** jsdom sends CORS preflight requests, as a browser does. */
const LEAVE = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': 'POST',
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (request.method === 'OPTIONS') response.writeHead(204, LEAVE).end()
  else respond(response.setHeader('x-length', Buffer.concat(chunks).length))
}

beforeEach(async () => {
  server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const request = (signal = new AbortController().signal) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: BODY,
  signal,
})

test('an upload sends its body in full, reports progress to the end, and returns the response', async () => {
  const told: number[] = []
  respond = (response) => response.writeHead(200, LEAVE).end(JSON.stringify({ length: response.getHeader('x-length') }))

  const response = await fetchWithProgress(url, request(), (sent) => told.push(sent))

  expect([response.status, await response.json()]).toEqual([200, { length: BODY.length }])
  expect(told.at(-1)).toBe(1)
})

test('a reply without a body becomes a response without a body', async () => {
  respond = (response) => response.writeHead(204, LEAVE).end()

  const response = await fetchWithProgress(url, request(), () => {})

  expect([response.status, response.body]).toEqual([204, null])
})

test('an error reply becomes a response with its status and body', async () => {
  respond = (response) => response.writeHead(413, LEAVE).end('too large')

  const response = await fetchWithProgress(url, request(), () => {})

  expect([response.ok, response.status, await response.text()]).toEqual([false, 413, 'too large'])
})

test('an aborted request rejects with the reason', async () => {
  const leaving = new Error('cancelled')
  const giveUp = new AbortController()
  respond = () => giveUp.abort(leaving)

  await expect(fetchWithProgress(url, request(giveUp.signal), () => {})).rejects.toBe(leaving)
  await expect(fetchWithProgress(url, request(AbortSignal.abort(leaving)), () => {})).rejects.toBe(leaving)
})

test('a broken connection rejects with a TypeError, as fetch does', async () => {
  respond = (response) => response.destroy()

  await expect(fetchWithProgress(url, request(), () => {})).rejects.toBeInstanceOf(TypeError)
})

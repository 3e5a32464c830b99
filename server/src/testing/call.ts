import assert from 'node:assert/strict'

import type { Endpoint } from '@marquee/contract/endpoints'
import type { z } from 'zod'

import type { TestApp } from './start-app.ts'
import { testToken } from './test-accounts.ts'
import { nextMillisecond } from './test-clock.ts'

export type Caller = { userId: string; username: string }

export type CallInput = {
  params?: Record<string, string>
  query?: Record<string, string | number>
  body?: unknown
  headers?: Record<string, string>
}

type ReplyOf<E> = E extends Record<'reply', infer S extends z.ZodType> ? z.output<S> : unknown

export type Answer<T> = { status: number; headers: Record<string, unknown>; body: T }
export type ProblemBody = { type: string; message: string }

/** Calls an endpoint as over the network, and returns the reply. */
export async function call<E extends Endpoint>(
  { app }: Pick<TestApp, 'app'>,
  endpoint: E,
  caller: Caller | undefined,
  { params = {}, query, body, headers = {} }: CallInput = {},
): Promise<Answer<ReplyOf<E> & ProblemBody>> {
  nextMillisecond()
  const path = endpoint.path.replaceAll(/:(\w+)/gu, (_match, name: string) => encodeURIComponent(params[name] ?? '-'))
  const response = await app.inject({
    method: endpoint.method,
    url: `/api${path}`,
    ...(query && { query: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) }),
    headers: {
      ...(caller && { authorization: `Bearer ${testToken(caller)}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const answer = (response.body === '' ? undefined : JSON.parse(response.body)) as ReplyOf<E> & ProblemBody
  if (response.statusCode === endpoint.status) mustBeWhatIsPromised(endpoint, answer)
  return { status: response.statusCode, headers: response.headers, body: answer }
}

/** Every reply in a test must match the contract and have no further fields. */
function mustBeWhatIsPromised(endpoint: Endpoint, body: unknown): void {
  if (endpoint.reply !== undefined) assert.deepEqual(endpoint.reply.parse(body), body)
}

/** Like `call`, for set-up and calls that must succeed. Returns the body of the reply. */
export async function callOk<E extends Endpoint>(
  app: Pick<TestApp, 'app'>,
  endpoint: E,
  caller: Caller,
  input: CallInput = {},
): Promise<ReplyOf<E>> {
  const { status, body } = await call(app, endpoint, caller, input)
  if (status !== endpoint.status) throw new Error(`${endpoint.method} ${endpoint.path}: ${status} ${body.message}`)
  return body
}

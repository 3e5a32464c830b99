import { z } from 'zod'

import { type Endpoint, ENDPOINTS } from '@marquee/contract/endpoints'
import { type ProblemKey, PROBLEMS } from '@marquee/contract/problems'

import { ProblemReply } from '../../openapi/schemas.ts'
import type { Reply } from './parts.ts'

const STACK = /\n\s+at |node_modules|\.[jt]s:\d+/u
const STATUSES = new Set<number>(Object.values(PROBLEMS).map((problem) => problem.status))
/** Errors of the HTTP layer, which every call may get. */
const ANYWHERE = new Set([400, 405, 413, 415, 429])

const ROUTES = Object.values(ENDPOINTS).map((endpoint: Endpoint) => ({
  endpoint,
  pattern: new RegExp(`^/api${endpoint.path.replaceAll(/:\w+/gu, '[^/]*')}/?$`, 'u'),
}))

/** Headers or a URL that are too long are rejected before there is a request. */
const TOO_LONG = 431

/** Why a reply is wrong; undefined if it is not. A 503 with `Retry-After` is deliberate. */
export function faultOf(method: string, url: string, reply: Reply): string | undefined {
  const { status, headers, body } = reply
  if (status === 503 && headers['retry-after'] !== undefined) return undefined
  if (status >= 500) return `was answered with ${status}`
  if (STACK.test(body)) return 'shows the inside of the server'
  if (status === TOO_LONG) return undefined
  if (/^\/identity\/?$/u.test(url)) return faultOfIdentity(method, reply)
  return url.startsWith('/api/') ? faultOfApi(method, url, reply) : undefined
}

const Refusal = z.strictObject({ __type: z.string().regex(/(?:Exception)$/u), message: z.string().min(1) })

/** The user pool answers 200 with an object, or 400 with a Cognito error. */
function faultOfIdentity(method: string, { status, body }: Reply): string | undefined {
  if (method === 'OPTIONS') return [204, 413].includes(status) ? undefined : `was answered with ${status}`
  const answer = z.looseObject({}).safeParse(parse(body))
  if (status === 200) return answer.success ? undefined : `was answered with no object: ${body.slice(0, 200)}`
  if (![400, 413].includes(status)) return `was answered with the unknown status ${status}`
  return Refusal.safeParse(parse(body)).success ? undefined : `was refused in other words: ${body.slice(0, 200)}`
}

function faultOfApi(method: string, url: string, reply: Reply): string | undefined {
  const { status, body } = reply
  const endpoints = endpointsAt(method, url)
  if (status < 400) return faultOfSuccess(endpoints, method, reply)
  if (!STATUSES.has(status)) return `was answered with the unknown status ${status}`
  if (method === 'HEAD') return undefined
  const problem = ProblemReply.strict().safeParse(parse(body))
  if (!problem.success) return `was answered with ${status}, but not with a problem: ${body.slice(0, 200)}`
  const keys = Object.keys(PROBLEMS) as ProblemKey[]
  const type = keys.find((key) => PROBLEMS[key].status === status && (key as string) !== 'FORBIDDEN') ?? 'UNAUTHORIZED'
  if (problem.data.type !== type) return `says ${problem.data.type} with ${status}`
  if (problem.data.message === '') return 'says nothing'
  return faultOfRefusal(endpoints, status)
}

function faultOfSuccess(endpoints: readonly Endpoint[], method: string, { status, headers, body }: Reply) {
  if (method === 'HEAD' || status === 304 || status === 204) return body === '' ? undefined : 'has a body'
  const fits = endpoints.some((endpoint) => {
    if (endpoint.status !== status) return false
    if (endpoint.files?.some((type) => String(headers['content-type']).startsWith(type))) return true
    if (endpoint.events) return body.startsWith('retry: ')
    return endpoint.reply !== undefined && strictly(endpoint.reply).safeParse(parse(body)).success
  })
  return fits ? undefined : `was answered with ${status} and what fits no schema: ${body.slice(0, 300)}`
}

function faultOfRefusal(endpoints: readonly Endpoint[], status: number): string | undefined {
  if (ANYWHERE.has(status) || endpoints.length === 0) return undefined
  const isTold = endpoints.some(
    ({ errors, auth, params }) =>
      errors.some((key) => PROBLEMS[key].status === status) ||
      (status === 401 && auth !== 'none') ||
      (status === 404 && params !== undefined),
  )
  return isTold ? undefined : `was answered with ${status}, which the contract does not tell`
}

function endpointsAt(method: string, url: string): Endpoint[] {
  const path = url.replace(/\?.*$/su, '')
  const asked = method === 'HEAD' ? 'GET' : method
  return ROUTES.flatMap(({ endpoint, pattern }) => (endpoint.method === asked && pattern.test(path) ? [endpoint] : []))
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown
  } catch {
    return undefined
  }
}

/** The schema, without further fields in any object. */
function strictly(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema
}

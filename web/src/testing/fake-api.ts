import { type Endpoint, type EndpointName, ENDPOINTS } from '@marquee/contract/endpoints'
import { vi } from 'vitest'

import { session } from '#web/session/session.ts'

type FakeRequest = {
  params: Record<string, string>
  query: URLSearchParams
  body: unknown
  headers: Record<string, string>
}
type Answer = (request: FakeRequest) => unknown
export type FakeAnswers = Partial<Record<EndpointName, Answer>>

/** A refusal of the server, as an answer: its status and problem. */
export class Refusal {
  readonly status: number
  readonly type: string
  readonly message: string
  /** The other fields of the problem. */
  readonly details: object

  constructor(status: number, type: string, message: string, details: object = {}) {
    this.status = status
    this.type = type
    this.message = message
    this.details = details
  }
}

function matcher({ method, path }: Endpoint) {
  const pattern = new RegExp(`^/api${path.replaceAll(/:(\w+)/gu, '(?<$1>[^/]+)')}$`, 'u')
  return (request: { method: string; pathname: string }) =>
    request.method === method ? pattern.exec(request.pathname) : null
}

/**
 * Replaces XMLHttpRequest: a request is half sent at once, and fully when it is answered. A test that needs an upload
 * in progress answers with a promise.
 */
function fakeSending(respond: (url: string, init: RequestInit) => Promise<Response>) {
  return class extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #target = { method: '', url: '' }
    #isAborted = false

    open(method: string, url: string): void {
      this.#target = { method, url }
    }

    setRequestHeader(): void {}

    abort(): void {
      this.#isAborted = true
      this.dispatchEvent(new Event('abort'))
    }

    send(body: string): void {
      this.#tell(1)
      void this.#send(body)
    }

    async #send(body: string): Promise<void> {
      const { method, url } = this.#target
      try {
        const response = await respond(url, { method, body })
        this.responseText = await response.text()
        this.status = response.status
      } catch {
        this.dispatchEvent(new Event('error'))
        return
      }
      if (this.#isAborted) return
      this.#tell(2)
      this.dispatchEvent(new Event('load'))
    }

    #tell(loaded: number): void {
      this.upload.dispatchEvent(new ProgressEvent('progress', { lengthComputable: true, loaded, total: 2 }))
    }
  }
}

/**
 * The product API in memory for one test. Requests are checked against the contract and get these answers. A call
 * without an answer fails. Returns the calls so far.
 */
export function fakeApi(answers: FakeAnswers) {
  const calls: { name: EndpointName; request: FakeRequest }[] = []
  vi.spyOn(session, 'idToken').mockResolvedValue('token')
  const respond = async (input: string, init: RequestInit = {}) => {
    const url = new URL(input, 'http://marquee.test')
    const asked = { method: init.method ?? 'GET', pathname: url.pathname }
    for (const name of Object.keys(ENDPOINTS) as EndpointName[]) {
      const endpoint: Endpoint = ENDPOINTS[name]
      const found = matcher(endpoint)(asked)
      const answer = answers[name]
      if (found === null || answer === undefined) continue
      const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
      const headers = Object.fromEntries(new Headers(init.headers))
      const request = { params: { ...found.groups }, query: url.searchParams, body, headers }
      // A call that breaks the contract is recorded too.
      calls.push({ name, request })
      request.body = endpoint.body?.parse(body)
      const reply = await answer(request)
      if (reply instanceof Response) return reply
      if (reply instanceof Refusal) {
        return Response.json({ ...reply.details, type: reply.type, message: reply.message }, { status: reply.status })
      }
      return endpoint.status === 204 ? new Response(null, { status: 204 }) : Response.json(reply, endpoint)
    }
    throw new Error(`The test has no answer to ${asked.method} ${asked.pathname}`)
  }
  vi.stubGlobal('fetch', respond)
  vi.stubGlobal('XMLHttpRequest', fakeSending(respond))
  return { calls, callsOf: (name: EndpointName) => calls.filter((call) => call.name === name) }
}

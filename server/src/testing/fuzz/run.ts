import { faultOf } from './judge.ts'
import type { Knowledge } from './known.ts'
import type { FuzzRequest, Reply, Send, Sent } from './parts.ts'

export type Outcome = { readonly sent: Sent; readonly status: number | undefined; readonly fault: string | undefined }

const INVALID_TOKEN = 'not.a.token'

/** Sends generated requests as these users, and learns values from the replies. */
export function createFuzz({
  send,
  knowledge,
  idTokens,
}: {
  send: Send
  knowledge: Knowledge
  /** The id token of each user. */
  idTokens: () => readonly string[]
}): (request: FuzzRequest) => Promise<Outcome> {
  const text = (value: unknown): string => {
    const filled = knowledge.fill(value)
    return (typeof filled === 'string' ? filled : JSON.stringify(filled)).toWellFormed()
  }
  const pairs = (fields: readonly (readonly [string, unknown])[]): string =>
    fields.map(([name, value]) => `${encodeURIComponent(text(name))}=${encodeURIComponent(text(value))}`).join('&')

  function bodyOf({ body }: FuzzRequest): { payload?: string; type?: string } {
    if (body === undefined) return {}
    if ('raw' in body) return { payload: body.raw }
    if ('json' in body) {
      return { payload: JSON.stringify(knowledge.fill(body.json)), type: 'application/json' }
    }
    return { payload: pairs(Object.entries(body.form)), type: 'application/x-www-form-urlencoded' }
  }

  function authorizationOf(caller: number): Record<string, string> {
    const tokens = idTokens()
    if (caller === tokens.length) return {}
    return { authorization: `Bearer ${tokens[caller] ?? INVALID_TOKEN}` }
  }

  function toSent(request: FuzzRequest): Sent {
    const params = knowledge.fillPlace(request.params)
    const path = request.path.replaceAll(/\{(\w+)\}/gu, (_match, name: string) =>
      encodeURIComponent(text(params[name])),
    )
    const query = pairs(request.query)
    const { payload, type } = bodyOf(request)
    const given = Object.entries(request.headers).map(([name, value]) => [name, text(value)])
    return {
      method: request.method,
      url: `${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...authorizationOf(request.caller),
        ...(type !== undefined && { 'content-type': type }),
        ...(Object.fromEntries(given) as Record<string, string>),
      },
      payload,
      isCut: request.isCut,
      isStream: ['watchlistEvents', 'nightEvents', 'ownEvents'].includes(request.name),
    }
  }

  function learnFrom(url: string, { status, headers, body }: Reply): void {
    const [, watchlistId = ''] = /\/watchlists\/([^/?]+)/u.exec(url) ?? []
    if (headers['etag'] !== undefined) knowledge.learn('etag', headers['etag'])
    const [, cookie] = /^([^;]+=[^;]+)/u.exec(headers['set-cookie'] ?? '') ?? []
    if (cookie !== undefined) knowledge.learn('cookie', cookie)
    for (const [name, value] of new URL(headers['location'] ?? '/', 'http://x').searchParams) {
      knowledge.learn(name === 'code' ? 'code of a tool' : name, value)
    }
    if (status < 400 && body.startsWith('{')) knowledge.learnFrom(JSON.parse(body), { watchlistId })
  }

  return async (request) => {
    const sent = toSent(request)
    const reply = await send(sent).catch((error: unknown) => `was not answered: ${String(error)}`)
    if (typeof reply === 'string') return { sent, status: undefined, fault: reply }
    if (reply === undefined) return { sent, status: undefined, fault: undefined }
    const fault = faultOf(sent.method, sent.url, reply)
    if (fault === undefined) learnFrom(sent.url, reply)
    return { sent, status: reply.status, fault }
  }
}

/** The request as a command, to send it again by hand. */
export function asCurl({ method, url, headers, payload }: Sent, base: string): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  return [
    `curl --request ${method} ${quoted(`${base}${url}`)}`,
    ...Object.entries(headers).map(([name, value]) => `--header ${quoted(`${name}: ${value}`)}`),
    ...(payload === undefined ? [] : [`--data-raw ${quoted(payload)}`]),
  ].join(' ')
}

import { createHash } from 'node:crypto'

/** A request as it arrived, as far as a signature can cover it. `body` is UTF-8. */
export type SignedRequest = {
  method: string
  /** Path and query as they stand in the request line. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/**
 * The one text that client and server make of the same request (AWS Signature Version 4, "canonical request"): method,
 * path, query in order, the signed headers, and the hash of the body.
 */
export function canonicalRequest(request: SignedRequest, signedHeaders: readonly string[]): string {
  const [path = '/', query = ''] = splitOnce(request.url, '?')
  const headers = signedHeaders.map((name) => `${name}:${headerText(request.headers[name])}\n`).join('')
  return [
    request.method,
    path.split('/').map(encode).join('/'),
    canonicalQuery(query),
    headers,
    signedHeaders.join(';'),
    sha256Hex(request.body),
  ].join('\n')
}

export function sha256Hex(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function canonicalQuery(query: string): string {
  if (query === '') return ''
  const pairs = query.split('&').map((pair) => {
    const [name = '', value = ''] = splitOnce(pair, '=')
    return [encode(decode(name)), encode(decode(value))] as const
  })
  const ordered = pairs.toSorted(([a, b], [c, d]) => compare(a, c) || compare(b, d))
  return ordered.map(([name, value]) => `${name}=${value}`).join('&')
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function headerText(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(',') : (value ?? '')
  return text.trim().replaceAll(/\s+/gu, ' ')
}

/** As RFC 3986 has it: everything but letters, digits and `-._~`. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** What is no encoding stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

import type { Clock } from '@marquee/platform/runtime/clock'
import { MINUTE_MS } from '@marquee/platform/runtime/durations'

import { CognitoError } from '../base/errors/refusals.ts'
import type { AdminKey } from '../base/settings.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 'cognito-idp'
const SKEW_MS = 5 * MINUTE_MS
/** Without these a signature could be reused for another server, time or operation. */
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-amz-target'] as const
const TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/u

/**
 * Requires a recent signature over the request, made with this key (AWS Signature Version 4).
 * @throws {CognitoError} as Amazon does: MissingAuthenticationToken, IncompleteSignature, UnrecognizedClient or
 * InvalidSignatureException.
 */
export function requireSignature(request: SignedRequest, key: AdminKey, clock: Clock): void {
  const authorization = readAuthorization(oneOf(request.headers['authorization']))
  const time = oneOf(request.headers['x-amz-date']) ?? ''
  const unsigned = MUST_BE_SIGNED.filter((name) => !authorization.signedHeaders.includes(name))
  if (unsigned.length > 0) {
    throw new CognitoError('IncompleteSignatureException', `These headers must be signed: ${unsigned.join(', ')}.`)
  }
  // A session token belongs to temporary credentials, which do not exist here.
  if (authorization.accessKeyId !== key.accessKeyId || request.headers['x-amz-security-token'] !== undefined) {
    throw new CognitoError('UnrecognizedClientException', 'The security token included in the request is invalid.')
  }
  checkScope(authorization, time)
  checkTime(time, clock)
  if (!isSame(authorization.signature, signatureOf(request, authorization, time, key))) {
    throw invalid(
      'The request signature we calculated does not match the signature you provided. ' +
        'Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    )
  }
}

function checkScope({ service, day }: Authorization, time: string): void {
  if (service !== SERVICE) throw invalid(`Credential should be scoped to correct service: '${SERVICE}'.`)
  if (!time.startsWith(`${day}T`)) {
    throw invalid(`Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${day}'.`)
  }
}

function checkTime(time: string, clock: Clock): void {
  const [, year, month, day, hour, minute, second] = TIME.exec(time) ?? []
  const signedAt = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(signedAt)) throw new CognitoError('IncompleteSignatureException', 'X-Amz-Date is not a time.')
  const age = clock.now().getTime() - signedAt
  if (age > SKEW_MS) throw invalid(`Signature expired: ${time} is more than 5 minutes ago.`)
  if (age < -SKEW_MS) throw invalid(`Signature not yet current: ${time} is more than 5 minutes ahead.`)
}

function signatureOf(
  request: SignedRequest,
  { day, region, service, signedHeaders }: Authorization,
  time: string,
  { secretAccessKey }: AdminKey,
): Buffer {
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = [ALGORITHM, time, scope, sha256Hex(canonicalRequest(request, signedHeaders))].join('\n')
  const signingKey = [day, region, service, 'aws4_request'].reduce<Buffer>(
    (key, part) => hmac(key, part),
    Buffer.from(`AWS4${secretAccessKey}`, 'utf8'),
  )
  return hmac(signingKey, text)
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

function isSame(given: string, expected: Buffer): boolean {
  return timingSafeEqual(Buffer.from(given, 'hex'), expected)
}

function oneOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function invalid(message: string): CognitoError {
  return new CognitoError('InvalidSignatureException', message)
}

/** The parts of a request that a signature can cover. `body` is UTF-8. */
export type SignedRequest = {
  method: string
  /** Path and query, exactly as in the request line. */
  url: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/**
 * The canonical request of AWS Signature Version 4: method, path, sorted query, the signed headers, and the hash of the
 * body.
 */
function canonicalRequest(request: SignedRequest, signedHeaders: readonly string[]): string {
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

function sha256Hex(text: string): string {
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

/** Percent-encodes all characters except letters, digits and `-._~` (RFC 3986). */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** Text that is not percent-encoded is taken literally. */
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

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/u

/** The content of an `Authorization` header of AWS Signature Version 4. */
type Authorization = {
  accessKeyId: string
  /** Like `20261120`. */
  day: string
  region: string
  service: string
  /** Lower-case names in the order in which they were signed. */
  signedHeaders: readonly string[]
  /** In hex. */
  signature: string
}

/**
 * @throws {CognitoError} MissingAuthenticationTokenException without a header, IncompleteSignatureException for
 * another.
 */
function readAuthorization(header: string | undefined): Authorization {
  if (header === undefined || header.trim() === '') {
    throw new CognitoError('MissingAuthenticationTokenException', 'Missing Authentication Token')
  }
  const [, accessKeyId, day, region, service, names, signature] = FORM.exec(header.trim()) ?? []
  if (
    accessKeyId === undefined ||
    day === undefined ||
    region === undefined ||
    service === undefined ||
    names === undefined ||
    signature === undefined
  ) {
    throw new CognitoError(
      'IncompleteSignatureException',
      'The Authorization header is not one of AWS Signature Version 4.',
    )
  }
  return { accessKeyId, day, region, service, signedHeaders: names.split(';'), signature }
}

import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Clock } from '@marquee/platform/runtime/clock'

import type { AdminKey } from '../base/settings.ts'
import { CognitoError } from '../wire/cognito-error.ts'
import { type Authorization, readAuthorization } from './authorization.ts'
import { canonicalRequest, sha256Hex, type SignedRequest } from './signed-request.ts'

const ALGORITHM = 'AWS4-HMAC-SHA256'
const SERVICE = 'cognito-idp'
const SKEW_MS = 5 * 60_000
/** Without these a signature could be taken over to another server, another moment or another operation. */
const MUST_BE_SIGNED = ['host', 'x-amz-date', 'x-amz-target'] as const
const TIME = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/u

/**
 * Lets a request pass that was signed with this key a moment ago, as it is (AWS Signature Version 4).
 * @throws {CognitoError} what Amazon answers: MissingAuthenticationToken, IncompleteSignature, UnrecognizedClient or
 * InvalidSignatureException.
 */
export function requireSignature(request: SignedRequest, key: AdminKey, clock: Clock): void {
  const authorization = readAuthorization(oneOf(request.headers['authorization']))
  const time = oneOf(request.headers['x-amz-date']) ?? ''
  const unsigned = MUST_BE_SIGNED.filter((name) => !authorization.signedHeaders.includes(name))
  if (unsigned.length > 0) {
    throw new CognitoError('IncompleteSignatureException', `These headers must be signed: ${unsigned.join(', ')}.`)
  }
  // A session token belongs to credentials that are lent for a while, and none are lent here.
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

import { CognitoError } from '../wire/cognito-error.ts'

const FORM =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/u

/** What an `Authorization` header of AWS Signature Version 4 says. */
export type Authorization = {
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

/** @throws {CognitoError} MissingAuthenticationTokenException without a header, IncompleteSignatureException for another. */
export function readAuthorization(header: string | undefined): Authorization {
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

import type { Pool } from '../ports.ts'

import type { Db } from '../tables.ts'

/** The exceptions of this pool; clients distinguish them by name. */
export type CognitoErrorType =
  | 'AliasExistsException'
  | 'CodeMismatchException'
  | 'DeviceKeyExistsException'
  | 'EnableSoftwareTokenMFAException'
  | 'ExpiredCodeException'
  | 'IncompleteSignatureException'
  | 'InternalErrorException'
  | 'InvalidParameterException'
  | 'InvalidPasswordException'
  | 'InvalidSignatureException'
  | 'LimitExceededException'
  | 'MFAMethodNotFoundException'
  | 'MissingAuthenticationTokenException'
  | 'NotAuthorizedException'
  | 'PasswordResetRequiredException'
  | 'RefreshTokenReuseException'
  | 'RequestEntityTooLargeException'
  | 'ResourceNotFoundException'
  | 'SerializationException'
  | 'SoftwareTokenMFANotFoundException'
  | 'TooManyRequestsException'
  | 'UnexpectedLambdaException'
  | 'UnknownOperationException'
  | 'UnrecognizedClientException'
  | 'UnsupportedTokenTypeException'
  | 'UserNotConfirmedException'
  | 'UserNotFoundException'
  | 'UsernameExistsException'
  | 'WebAuthnChallengeNotFoundException'
  | 'WebAuthnConfigurationMissingException'
  | 'WebAuthnCredentialNotSupportedException'
  | 'WebAuthnNotEnabledException'
  | 'WebAuthnOriginNotAllowedException'
  | 'WebAuthnRelyingPartyMismatchException'

/** An error in Cognito's words. All have HTTP status 400, except internal errors and oversized bodies. */
export class CognitoError extends Error {
  override readonly name = 'CognitoError'
  readonly type: CognitoErrorType
  readonly status: number

  constructor(type: CognitoErrorType, message: string, status = 400) {
    super(message)
    this.type = type
    this.status = status
  }
}

const ATTEMPT_LIMIT = 'Attempt limit exceeded, please try after some time.'

/** The errors of more than one operation, in Cognito's words. */
export const refusals = {
  attemptLimit: () => new CognitoError('LimitExceededException', ATTEMPT_LIMIT),
  tooManyAttempts: () => new CognitoError('TooManyRequestsException', ATTEMPT_LIMIT),
  codeMismatch: () =>
    new CognitoError('CodeMismatchException', 'Invalid verification code provided, please try again.'),
  disabled: () => notAuthorized('User is disabled.'),
  expiredCode: () => new CognitoError('ExpiredCodeException', 'Invalid code provided, please request a code again.'),
  incorrectPassword: () => notAuthorized('Incorrect username or password.'),
  invalidSession: () => notAuthorized('Invalid session for the user.'),
  expiredSession: () => notAuthorized('Invalid session for the user, session is expired.'),
  spentSession: () => notAuthorized('Invalid session for the user, session can only be used once.'),
  lockedOut: () => notAuthorized('Password attempts exceeded'),
  unknownDevice: () => new CognitoError('ResourceNotFoundException', 'Device does not exist.'),
  resetRequired: () => new CognitoError('PasswordResetRequiredException', 'Password reset required for the user'),
  tooManyRequests: () => new CognitoError('TooManyRequestsException', 'Too many requests'),
  unknownUser: () => new CognitoError('UserNotFoundException', 'User does not exist.'),
  notConfirmed: () => new CognitoError('UserNotConfirmedException', 'User is not confirmed.'),
  missing: (parameter: string) => invalidParameter(`Missing required parameter ${parameter}`),
} as const

export function invalidParameter(message: string): CognitoError {
  return new CognitoError('InvalidParameterException', message)
}

export function notAuthorized(message: string): CognitoError {
  return new CognitoError('NotAuthorizedException', message)
}

/**
 * Runs a transaction that may refuse. A refusal that `work` returns is thrown after the commit, so that a wrong code or
 * a spent quota stays counted. A thrown one rolls the transaction back.
 */
export async function commitOrRefuse<T>(
  pool: Pick<Pool, 'database'>,
  work: (trx: Db) => Promise<T>,
): Promise<Exclude<T, CognitoError>> {
  const outcome = await pool.database.transaction(work)
  if (outcome instanceof CognitoError) throw outcome
  return outcome as Exclude<T, CognitoError>
}

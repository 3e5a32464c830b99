import { CognitoError } from './cognito-error.ts'

const ATTEMPT_LIMIT = 'Attempt limit exceeded, please try after some time.'

/** The refusals that more than one operation gives, in Cognito's words (identity.md 2). */
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
  notConfirmed: () => new CognitoError('UserNotConfirmedException', 'User is not confirmed.'),
  missing: (parameter: string) => invalidParameter(`Missing required parameter ${parameter}`),
} as const

export function invalidParameter(message: string): CognitoError {
  return new CognitoError('InvalidParameterException', message)
}

export function notAuthorized(message: string): CognitoError {
  return new CognitoError('NotAuthorizedException', message)
}

/** What an action of the identity service failed with, in the service's own words where it gave some. */
export type IdentityFailure = { code: string; message: string }

/** Errors of Amplify say which part of it they come from by this field; our own mistakes and the browser's do not. */
function isFromAmplify(error: unknown): error is Error {
  return error instanceof Error && ('underlyingError' in error || 'recoverySuggestion' in error || 'metadata' in error)
}

/**
 * Reads an error of Amplify: the code and message of the service, otherwise UnknownError and the fallback of the action.
 * Messages of other errors were not written for users and are not shown.
 */
export function identityFailure(error: unknown, fallback: string): IdentityFailure {
  if (!isFromAmplify(error)) return { code: 'UnknownError', message: fallback }
  const { name, message } = error
  return {
    code: name === '' || name === 'Error' ? 'UnknownError' : name,
    message: message.trim() === '' ? fallback : message,
  }
}

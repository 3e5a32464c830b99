/** What an action of the identity service failed with. `message` may be shown as it is. */
export type IdentityFailure = { code: string; message: string }

/** Errors of Amplify say which part of it they come from by this field; our own mistakes and the browser's do not. */
function isFromAmplify(error: unknown): error is Error {
  return error instanceof Error && ('underlyingError' in error || 'recoverySuggestion' in error || 'metadata' in error)
}

/**
 * Reads whatever a call of Amplify threw (spec section 8): the service's own code and words where it gave some,
 * otherwise UnknownError and the fallback of the action. Words that were never meant for people are not shown.
 */
export function identityFailure(error: unknown, fallback: string): IdentityFailure {
  if (!isFromAmplify(error)) return { code: 'UnknownError', message: fallback }
  const { name, message } = error
  return {
    code: name === '' || name === 'Error' ? 'UnknownError' : name,
    message: message.trim() === '' ? fallback : message,
  }
}

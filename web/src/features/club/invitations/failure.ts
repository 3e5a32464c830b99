import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'

/** Failures without a message of the server for users. */
const WITHOUT_MESSAGE: readonly ApiErrorKind[] = ['SERVER_ERROR', 'VALIDATION_ERROR', 'NETWORK_ERROR']

/** The message of the server, undefined if there is none for users. */
export function serverMessage(error: unknown): string | undefined {
  if (!isApiError(error) || error.status === undefined || WITHOUT_MESSAGE.includes(error.kind)) return undefined
  return error.message
}

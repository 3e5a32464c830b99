import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'

type InvitationFailure = 'INVITE_ERROR' | 'ACCEPT_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED' | 'VALIDATION_ERROR'

const OWN_KINDS = ['NOT_FOUND', 'UNAUTHORIZED', 'VALIDATION_ERROR'] as const satisfies readonly ApiErrorKind[]

/** The kind of a failure, which decides its text. See docs/product/errors.md. */
export function invitationFailure(action: 'invite' | 'accept', error: unknown): InvitationFailure {
  const own = OWN_KINDS.find((kind) => isApiError(error, kind))
  return own ?? (action === 'invite' ? 'INVITE_ERROR' : 'ACCEPT_ERROR')
}

/** Failures without a message of the server for users. */
const WITHOUT_MESSAGE: readonly ApiErrorKind[] = ['SERVER_ERROR', 'VALIDATION_ERROR', 'NETWORK_ERROR']

/** The message of the server, undefined if there is none for users. */
export function serverMessage(error: unknown): string | undefined {
  if (!isApiError(error) || error.status === undefined || WITHOUT_MESSAGE.includes(error.kind)) return undefined
  return error.message
}

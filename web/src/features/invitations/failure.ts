import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'

type InvitationFailure = 'INVITE_ERROR' | 'ACCEPT_ERROR' | 'NOT_FOUND' | 'UNAUTHORIZED' | 'VALIDATION_ERROR'

const OWN_KINDS = ['NOT_FOUND', 'UNAUTHORIZED', 'VALIDATION_ERROR'] as const satisfies readonly ApiErrorKind[]

/** What kind of failure of an invitation an error is (spec section 8, "Kinds per area"). */
export function invitationFailure(action: 'invite' | 'accept', error: unknown): InvitationFailure {
  const own = OWN_KINDS.find((kind) => isApiError(error, kind))
  return own ?? (action === 'invite' ? 'INVITE_ERROR' : 'ACCEPT_ERROR')
}

/** Failures whose words were not written for people, or not by the server. */
const WORDLESS: readonly ApiErrorKind[] = ['SERVER_ERROR', 'VALIDATION_ERROR', 'NETWORK_ERROR']

/** What the server said of its refusal; undefined where it said nothing that is meant for people (spec section 8). */
export function serverMessage(error: unknown): string | undefined {
  if (!isApiError(error) || error.status === undefined || WORDLESS.includes(error.kind)) return undefined
  return error.message
}

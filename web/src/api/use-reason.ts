import { PROBLEMS } from '@marquee/contract/problems'

import { useTranslation } from '#web/i18n/texts.ts'
import { useIdentityMessage } from '#web/account/failures.ts'

import { isApiError } from './api-error.ts'

/** Failures whose message is not for users. */
const REASONS = {
  NETWORK_ERROR: 'errors.network',
  SERVER_ERROR: 'errors.server',
  VALIDATION_ERROR: 'errors.validation',
} as const

/** These replace a standard message of the server. Any other message of the server is shown. */
const STANDARD_REASONS = {
  BAD_REQUEST: 'errors.validation',
  UNAUTHORIZED: 'errors.unauthorized',
  NOT_FOUND: 'errors.notFound',
} as const

function has<T extends object>(texts: T, kind: PropertyKey): kind is keyof T {
  return Object.hasOwn(texts, kind)
}

/**
 * Why a call failed, to show below what failed. `kind` is the failure's kind in its area, if it has kinds. Undefined for
 * an error that is not from a call.
 */
export function useReason(): (error: unknown, kind?: string) => string | undefined {
  const { t } = useTranslation()
  const messageOf = useIdentityMessage()
  return (error, kind) => {
    if (!isApiError(error)) return undefined
    // A read has no input that could be wrong, so the reply is wrong.
    if (error.kind === 'VALIDATION_ERROR' && kind === 'FETCH_ERROR') return t('errors.server')
    if (error.kind === 'REFRESH_ERROR') return messageOf(error.cause, 'errors.refresh')
    if (has(REASONS, error.kind)) return t(REASONS[error.kind])
    const isStandard = has(STANDARD_REASONS, error.kind) && error.message === PROBLEMS[error.kind].message
    return isStandard ? t(STANDARD_REASONS[error.kind]) : error.message
  }
}

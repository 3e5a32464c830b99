import { useTranslation } from 'react-i18next'

import { type ApiErrorKind, isApiError } from '#web/api/api-error.ts'

/** Failures whose own words were not written for people. */
const REASONS = {
  NETWORK_ERROR: 'errors.network',
  SERVER_ERROR: 'errors.server',
  VALIDATION_ERROR: 'errors.validation',
} as const satisfies Partial<Record<ApiErrorKind, string>>

function hasReason(kind: ApiErrorKind): kind is keyof typeof REASONS {
  return Object.hasOwn(REASONS, kind)
}

/**
 * Why a call failed, for below the words that say what failed. `kind` is that of the area (spec section 8, "Kinds per
 * area"). Undefined for what was no call.
 */
export function useReason(): (kind: string, error: unknown) => string | undefined {
  const { t } = useTranslation()
  return (kind, error) => {
    if (!isApiError(error)) return undefined
    if (kind === 'UNAUTHORIZED') return t('errors.unauthorized')
    if (kind === 'NOT_FOUND') return t('errors.notFound')
    return hasReason(error.kind) ? t(REASONS[error.kind]) : error.message
  }
}

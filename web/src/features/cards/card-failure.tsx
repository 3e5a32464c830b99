import { useTranslation } from 'react-i18next'

import { isApiError } from '#web/api/api-error.ts'
import { Banner } from '#web/ui/banner.tsx'

/** What the server says of a refusal was written for people; of other failures it is not. */
const TOLD = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'TOO_MANY_REQUESTS'] as const

/** What could not be done with a card, with the reason where there is one to tell. */
export function CardFailure({ what, error }: { what: string; error: unknown }) {
  const { t } = useTranslation()
  const isOffline = isApiError(error, 'NETWORK_ERROR') && !navigator.onLine
  return (
    <Banner tone="error">
      <p>{what}</p>
      {isApiError(error, ...TOLD) && <p className="text-sm">{error.message}</p>}
      {isOffline && <p className="text-sm">{t('errors.network')}</p>}
    </Banner>
  )
}

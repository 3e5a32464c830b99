import type { CardStatus } from '@marquee/contract/entities/card'

import { useTranslation } from '#web/i18n/texts.ts'

/** The name of a status, as on the cards of the feed. */
export function useStatusText(): (status: CardStatus) => string {
  const { t } = useTranslation('watchlist')
  return (status) => t(`library.statuses.${status}`)
}

import '../lazy-texts.ts'
import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { useLocation, useNavigationType } from 'react-router'

import { isApiError } from '#web/api/api-error.ts'
import { call } from '#web/api/call.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { cardElementId } from '#web/paths.ts'

import { focusCard } from '../card/focus-card.ts'
import type { FeedCard } from '../feed-pages.ts'
import { cardKeys, receiveCard } from '../queries.ts'

type LinkedCardProps = {
  watchlistId: string
  /** The card that the link to this page names. */
  id: string
  /** It, if it is among the loaded cards. */
  loaded: FeedCard | undefined
  /** Whether it is shown above the box anyway. */
  isFirst: boolean
  /** It is shown here, and not in its place in the feed. */
  onFar: (id: string) => void
  children: (card: FeedCard) => ReactNode
}

/** The card that the link to this page names gets the focus. If it is far down in the feed, it is shown here. */
export function LinkedCard({ watchlistId, id, loaded, isFirst, onFar, children }: LinkedCardProps) {
  const { t } = useTranslation('moviecard')
  const { key } = useLocation()
  const { data } = useQuery({
    queryKey: cardKeys.linked(watchlistId, id),
    queryFn: async ({ client, signal }): Promise<FeedCard | null> => {
      try {
        return receiveCard(client, await call(CARD_ENDPOINTS.getCard, { params: { watchlistId, cardId: id }, signal }))
      } catch (error) {
        if (isApiError(error, 'NOT_FOUND')) return null
        throw error
      }
    },
    enabled: loaded === undefined,
  })
  const isFar = data !== undefined && !isFirst
  const isThere = data !== undefined || loaded !== undefined
  const isArrival = useNavigationType() !== 'POP'
  const report = useEffectEvent(onFar)
  useEffect(() => {
    if (isFar) report(id)
  }, [id, isFar])
  useEffect(() => {
    if (isThere && (isArrival || takeFirstView(key))) focusCard(id)
  }, [key, id, isThere, isArrival])

  if (!isFar) return null
  const card = loaded ?? data
  if (card !== null) {
    return (
      <ul aria-label={t('linked.title')} className="-mb-4">
        {children(card)}
      </ul>
    )
  }
  return (
    <p
      id={cardElementId(id)}
      tabIndex={-1}
      className="rounded-panel border border-dashed border-line p-4 text-center text-muted -outline-offset-2"
    >
      {t('linked.gone')}
    </p>
  )
}

let isFirstView = true

/** Whether a mail or a push message has opened the app at this place. Going back and reloading look the same to the router. */
function takeFirstView(key: string): boolean {
  if (!isFirstView || key !== 'default') return false
  isFirstView = false
  const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return load?.type === 'navigate'
}

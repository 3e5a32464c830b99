import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from 'react-router'

import { DrawLog } from '#web/features/draws/draw-log.tsx'
import { DrawDetails } from '#web/features/draws/draw-receipt.tsx'
import { watchlistDetail } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'

import { BackLink } from './back-link.tsx'
import { Screen } from './screen.tsx'

/** `/watchlists/{id}/draws`: the log of the draws. With a number, the receipt of one draw. */
export function Component() {
  const { t } = useTranslation('moviecard')
  const { watchlistId = '', drawNumber } = useParams()
  const { data: watchlist } = useQuery(watchlistDetail(watchlistId, useQueryClient()))
  const isLog = drawNumber === undefined
  const title = isLog ? t('draws.title') : t('draws.number', { number: drawNumber })
  return (
    <Screen title={title}>
      <header className="mb-6 flex flex-col items-start gap-2">
        <BackLink to={isLog ? to.watchlist(watchlistId) : to.draws(watchlistId)}>
          {isLog ? t('draws.back', { name: watchlist?.name ?? '' }) : t('draws.backToDraws')}
        </BackLink>
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
      </header>
      {isLog ? (
        <DrawLog key={watchlistId} watchlistId={watchlistId} />
      ) : (
        <DrawDetails key={drawNumber} watchlistId={watchlistId} drawNumber={Number(drawNumber)} />
      )}
    </Screen>
  )
}

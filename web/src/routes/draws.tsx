import { useParams } from 'react-router'

import { DrawLog } from '#web/features/draws/draw-log.tsx'
import { DrawDetails } from '#web/features/draws/draw-receipt.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/draws`: the log of the draws. With a number, the receipt of one draw. */
export function Component() {
  const { t } = useTranslation('moviecard')
  const { drawNumber } = useParams()
  const { watchlist } = useWatchlistPlace()
  const isLog = drawNumber === undefined
  return (
    <PlaceScreen title={isLog ? t('draws.title') : t('draws.number', { number: drawNumber })} isNarrow>
      {isLog ? (
        <DrawLog watchlistId={watchlist.id} />
      ) : (
        <DrawDetails key={drawNumber} watchlistId={watchlist.id} drawNumber={Number(drawNumber)} />
      )}
    </PlaceScreen>
  )
}

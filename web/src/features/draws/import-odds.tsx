import '#web/i18n/draw-texts.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { linkStyle } from '#web/ui/classes.ts'

import { drawOdds } from './queries.ts'

/** After an import that fills most of the box: what that means for the others, and which rule would be fair to them. */
export function ImportOdds({ watchlistId, added }: { watchlistId: string; added: number }) {
  const { t } = useTranslation('moviecard')
  const { data: odds } = useQuery(drawOdds(watchlistId))
  if (odds?.rule !== 'cards' || added * 2 <= odds.eligible + odds.resting) return null
  return (
    <p className="text-muted">
      {t('draws.mostAreYours', { rule: t('draws.rules.people') })}{' '}
      <Link to={to.watchlistSettings(watchlistId)} className={linkStyle}>
        {t('draws.odds')}
      </Link>
    </p>
  )
}

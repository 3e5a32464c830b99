import type { CardViewings } from '@marquee/contract/entities/viewing'

import { dayText } from '#web/i18n/dates.ts'
import { listText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import '../lazy-texts.ts'

/** In which movie night a movie was watched, and by whom. */
export function NightLine({ night: { acceptedAt, watchedBy } }: { night: NonNullable<CardViewings['night']> }) {
  const { t } = useTranslation('moviecard')
  const day = dayText(acceptedAt)
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {watchedBy.length === 0 ? t('seen.night', { day }) : t('seen.nightWith', { day, names: listText(watchedBy) })}
    </p>
  )
}

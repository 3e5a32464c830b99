import type { DrawFilter } from '@marquee/contract/entities/draw'

import './draw-texts.ts'
import { locale } from './language.ts'
import { listText } from './movie-facts.ts'
import { useTranslation } from './texts.ts'

const list = new Intl.ListFormat(locale)

/** A filter of a draw in words; empty without one. Fields of a later version are not shown. */
export function useFilterText(): (filter: DrawFilter) => string {
  const { t } = useTranslation('moviecard')
  return ({ maxRuntime, includeUnknownRuntime, withoutGenres, unseenBy, watchable }) =>
    listText(
      [
        maxRuntime !== undefined && t('draws.filters.maxRuntime', { count: maxRuntime }),
        maxRuntime !== undefined && includeUnknownRuntime === true && t('draws.filters.includeUnknownRuntime'),
        withoutGenres && t('draws.filters.withoutGenres', { list: list.format(withoutGenres) }),
        unseenBy && t('draws.filters.unseenBy', { list: list.format(unseenBy) }),
        watchable && t('draws.filters.watchable'),
      ].filter((part) => typeof part === 'string'),
    )
}

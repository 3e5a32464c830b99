import type { Want } from '@marquee/contract/entities/card'
import { useInfiniteQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useId, useRef } from 'react'

import { dayText } from '#web/i18n/dates.ts'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { focusSoon, useFocusLostByRemoval } from '#web/ui/focus.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { announce } from '#web/ui/live-region.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'

import { CardFailure, CardFailureText } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useUnwantMovie, wants } from '../wants.ts'

type WantListProps = {
  watchlistId: string
  /** A movie that had the focus left the list. */
  onFocusLost: () => void
}

/** The movies that others put into the box and the user wants, too, as the user found them. */
export function WantList({ watchlistId, onFocusLost }: WantListProps) {
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const query = useInfiniteQuery(wants(watchlistId))
  const { data, error, isFetching, hasNextPage, fetchNextPage } = query
  const list = data?.pages.flatMap((page) => page.wants) ?? []
  useFocusLostByRemoval(list.length, onFocusLost)
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3 border-t border-line pt-4">
      <div>
        <h3 id={headingId} className="text-base">
          {t('wants.title')}
        </h3>
        <p className="text-sm text-muted">{t('wants.hint')}</p>
      </div>
      <ul aria-labelledby={headingId} className="flex flex-col divide-y divide-line empty:hidden">
        {list.map((want) => (
          <WantedMovie key={want.wantId} watchlistId={watchlistId} want={want} />
        ))}
      </ul>
      {error !== null && (
        <RetryBanner query={query}>
          <CardFailureText action="load" error={error} />
        </RetryBanner>
      )}
      {hasNextPage && (
        <ShowMore size="small" className="self-start" busy={isFetching} onMore={fetchNextPage}>
          {t('wants.more')}
        </ShowMore>
      )}
    </section>
  )
}

function WantedMovie({ watchlistId, want }: { watchlistId: string; want: Want }) {
  const { t } = useTranslation('moviecard')
  const factsText = useFactsText()
  const { mutateAsync: unwant, isPending, error } = useUnwantMovie(watchlistId)
  const button = useRef<HTMLButtonElement>(null)
  const { wantId, title, movie, createdAt } = want
  const remove = async () => {
    try {
      await unwant(wantId)
      announce(t('wants.removed', { title }))
    } catch {
      // The failure shows below.
      focusSoon(button)
    }
  }
  return (
    <li className="flex flex-col gap-2 py-2">
      <div className="flex items-center gap-3">
        <div className="min-w-0 flex-1">
          <p className="font-display leading-tight font-semibold wrap-anywhere">
            <bdi>{title}</bdi>
          </p>
          {movie !== undefined && <p className="text-sm text-muted empty:hidden">{factsText(movie)}</p>}
          <p className="text-sm text-muted">{t('wants.since', { date: dayText(createdAt) })}</p>
        </div>
        <IconButton
          ref={button}
          aria-label={t('wants.remove', { title })}
          icon={<X aria-hidden />}
          disabled={isPending}
          onClick={() => void remove()}
        />
      </div>
      {error !== null && <CardFailure action="want" title={title} error={error} />}
    </li>
  )
}

import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { dayText } from '#web/i18n/dates.ts'
import { to } from '#web/paths.ts'

type WatchlistRowProps = { watchlist: Watchlist; isCurrent: boolean }

/** One watchlist of the list; the whole row opens it, which makes it current. */
export function WatchlistRow({ watchlist, isCurrent }: WatchlistRowProps) {
  const { t } = useTranslation('watchlist')
  const { id, name, description, createdAt } = watchlist
  return (
    <li>
      <Link
        to={to.watchlist(id)}
        aria-current={isCurrent ? 'true' : undefined}
        className="group flex items-center gap-4 rounded-panel border border-line bg-surface p-4 transition-colors hover:bg-raised aria-[current]:border-accent sm:p-5"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-display text-xl leading-tight font-semibold">{name}</span>
            {isCurrent && <span className="text-sm font-semibold text-accent">{t('list.current')}</span>}
          </span>
          {description !== null && <span className="line-clamp-2 text-muted">{description}</span>}
          <span className="text-sm text-muted">{t('list.created', { date: dayText(createdAt) })}</span>
        </span>
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5"
        />
      </Link>
    </li>
  )
}

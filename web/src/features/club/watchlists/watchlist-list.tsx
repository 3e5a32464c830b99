import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { Plus, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'

import { dayText } from '#web/i18n/dates.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { CreateWatchlistForm } from './create-watchlist-form.tsx'
import { currentWatchlist, watchlistList } from './queries.ts'
import { watchlistFailure } from './watchlist-states.tsx'

type WatchlistListProps = { onCreated: (watchlist: Watchlist) => void }

/** All watchlists of the user: loading, failed, empty or shown. */
export function WatchlistList({ onCreated }: WatchlistListProps) {
  const { t } = useTranslation('watchlist')
  const list = useQuery(watchlistList())
  if (list.isPending) return <Loading label={t('list.loading')} />
  if (list.isError) {
    return (
      <RetryBanner query={list}>
        <CallFailure what={t('list.failed')} kind={watchlistFailure('load', list.error)} error={list.error} />
      </RetryBanner>
    )
  }
  if (list.data.length === 0) return <Empty onCreated={onCreated} />
  return <Rows watchlists={list.data} onCreated={onCreated} />
}

function Loading({ label }: { label: string }) {
  return (
    <div className="flex flex-col gap-3">
      <output className="sr-only">{label}</output>
      <Skeleton className="h-25" />
      <Skeleton className="h-25" />
      <Skeleton className="h-25" />
    </div>
  )
}

function Empty({ onCreated }: WatchlistListProps) {
  const { t } = useTranslation('watchlist')
  return (
    <Panel className="flex flex-col gap-5">
      <div>
        <h2 className="text-xl">{t('list.emptyTitle')}</h2>
        <p className="mt-1 text-muted">{t('list.emptyDescription')}</p>
      </div>
      <CreateWatchlistForm onCreated={onCreated} />
    </Panel>
  )
}

function Rows({ watchlists, onCreated }: WatchlistListProps & { watchlists: readonly Watchlist[] }) {
  const { t } = useTranslation('watchlist')
  const current = useQuery(currentWatchlist())
  const [isCreating, setCreating] = useState(false)
  return (
    <div className="flex flex-col gap-6">
      <ul className="flex flex-col gap-3">
        {watchlists.map((watchlist) => (
          <WatchlistRow key={watchlist.id} watchlist={watchlist} isCurrent={watchlist.id === current.data} />
        ))}
      </ul>
      {isCreating ? (
        <Panel>
          <CreateWatchlistForm takesFocus onCreated={onCreated} onCancel={() => setCreating(false)} />
        </Panel>
      ) : (
        <Button tone="quiet" icon={<Plus aria-hidden />} onClick={() => setCreating(true)} className="self-start">
          {t('list.createNew')}
        </Button>
      )}
    </div>
  )
}

type WatchlistRowProps = { watchlist: Watchlist; isCurrent: boolean }

/** One watchlist. The whole row opens it and makes it current. */
function WatchlistRow({ watchlist, isCurrent }: WatchlistRowProps) {
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
            <bdi className="font-display text-xl leading-tight font-semibold">{name}</bdi>
            {isCurrent && <span className="text-sm font-semibold text-accent">{t('list.current')}</span>}
          </span>
          {description !== null && (
            <span className="line-clamp-2 text-muted">
              <bdi>{description}</bdi>
            </span>
          )}
          <span className="text-sm text-muted">{t('list.created', { date: dayText(createdAt) })}</span>
        </span>
        <ChevronRight
          aria-hidden
          className="size-5 shrink-0 text-muted transition-transform group-hover:translate-x-0.5 rtl:-scale-x-100 rtl:group-hover:-translate-x-0.5"
        />
      </Link>
    </li>
  )
}

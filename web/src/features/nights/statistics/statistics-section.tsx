import type { MovieInStatistics, Statistics } from '@marquee/contract/entities/statistics'
import { useQuery } from '@tanstack/react-query'
import { GalleryHorizontalEnd } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { Link } from 'react-router'

import { dayText, monthText } from '#web/i18n/dates.ts'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { to } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { RetryBanner } from '#web/ui/banner.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { Columns, Rows } from './bars.tsx'
import { Chart } from './chart.tsx'
import { NightStatistics } from './night-statistics.tsx'
import { NumberCard, NumberCards } from './number-cards.tsx'
import { daysOf, PERIODS, usePeriod, yearOf } from './period.ts'
import { statisticsOf, useLiveStatistics } from './queries.ts'
import { chartsOf, Story } from './story.tsx'

/** What a watchlist has watched in a period that the user chooses. */
export function StatisticsSection({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const { period, choose } = usePeriod()
  const [today] = useState(() => new Date())
  const days = useMemo(() => daysOf(period, today), [period, today])
  const year = yearOf(period, today)
  useLiveStatistics(watchlistId)
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(statisticsOf(watchlistId, days))
  return (
    <div className="flex flex-col gap-4">
      <Segmented
        legend={t('statistics.period')}
        name="period"
        value={period}
        options={PERIODS.map((value) => ({ value, label: t(`statistics.periods.${value}`) }))}
        onChange={choose}
      />
      {error !== null && !isFetching && (
        <RetryBanner query={{ refetch }}>
          <CallFailure what={t('statistics.failed')} kind="FETCH_ERROR" error={error} />
        </RetryBanner>
      )}
      {data === undefined ? (
        error === null && <Loading />
      ) : (
        <div className={classes('flex flex-col gap-4', isPlaceholderData && 'opacity-60')}>
          {year !== undefined && data.watched.movies > 0 && (
            <Link to={to.ourYear(watchlistId, year)} className={classes(buttonStyle('primary'), 'self-start')}>
              <GalleryHorizontalEnd aria-hidden />
              {t('statistics.openYear', { year })}
            </Link>
          )}
          <Parts statistics={data} />
        </div>
      )}
    </div>
  )
}

function Loading() {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-col gap-4">
      <output className="sr-only">{t('statistics.loading')}</output>
      <Skeleton className="h-28" />
      <Skeleton className="h-72" />
    </div>
  )
}

function Parts({ statistics }: { statistics: Statistics }) {
  return (
    <>
      {statistics.watched.movies === 0 && <Empty />}
      <Story statistics={statistics} />
      {chartsOf(statistics).movies && (
        <>
          <Numbers statistics={statistics} />
          <Charts statistics={statistics} />
        </>
      )}
      <NightStatistics statistics={statistics} />
      <Lists statistics={statistics} />
    </>
  )
}

function useStarsText(): (stars: number) => string {
  const { t } = useTranslation('watchlist')
  return (stars) => t('statistics.stars', { stars: numberText(stars), count: stars })
}

function Charts({ statistics: { months, suggesters } }: { statistics: Statistics }) {
  const { t } = useTranslation('watchlist')
  const starsText = useStarsText()
  const monthRows = months.map(({ month, movies, runtimeMinutes }) => ({
    key: month,
    label: monthText(month, 'short'),
    value: movies,
    cells: [monthText(month, 'long'), movies, hoursOf(runtimeMinutes)],
  }))
  const suggesterRows = suggesters.map(({ username, movies, rating }) => ({
    key: username,
    label: username,
    value: movies,
    cells: [username, movies, rating === null ? t('statistics.noRating') : starsText(rating.average)],
  }))
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      {months.length > 1 && (
        <Chart
          title={t('statistics.months')}
          Bars={Columns}
          columns={[t('statistics.month'), t('statistics.movies'), t('statistics.hoursColumn')]}
          rows={monthRows}
        />
      )}
      <Chart
        title={t('statistics.suggesters')}
        Bars={Rows}
        columns={[t('statistics.member'), t('statistics.movies'), t('statistics.rating')]}
        rows={suggesterRows}
      />
    </div>
  )
}

function Lists({ statistics }: { statistics: Statistics }) {
  const { t } = useTranslation('watchlist')
  const starsText = useStarsText()
  const { mostLoved, mostDivisive, longestWaits, due } = statistics
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      {mostLoved.length > 0 && (
        <ListPanel title={t('statistics.loved')} hint={t('statistics.lovedHint')}>
          {mostLoved.map(({ movie, average }) => (
            <MovieItem key={movie.id} movie={movie} value={starsText(average)} />
          ))}
        </ListPanel>
      )}
      {mostDivisive.length > 0 && (
        <ListPanel title={t('statistics.divisive')} hint={t('statistics.divisiveHint')}>
          {mostDivisive.map(({ movie, lowest, highest }) => (
            <MovieItem
              key={movie.id}
              movie={movie}
              value={t('statistics.starsBetween', { lowest: numberText(lowest), highest: numberText(highest) })}
            />
          ))}
        </ListPanel>
      )}
      {longestWaits.length > 0 && (
        <ListPanel title={t('statistics.waits')} hint={t('statistics.waitsHint')}>
          {longestWaits.map(({ movie, days }) => (
            <MovieItem key={movie.id} movie={movie} value={t('statistics.days', { count: days })} />
          ))}
        </ListPanel>
      )}
      <ListPanel title={t('statistics.due')} hint={t('statistics.dueHint')}>
        {due.map(({ username, joinedAt, lastWatchedAt }) => (
          <li key={username} className="flex items-center gap-3">
            <PersonAvatar username={username} />
            <span className="min-w-0">
              <span className="block truncate font-semibold">{username}</span>
              <span className="text-sm text-muted">
                {lastWatchedAt === null
                  ? t('statistics.neverWatched', { date: dayText(joinedAt) })
                  : t('statistics.lastWatched', { date: dayText(lastWatchedAt) })}
              </span>
            </span>
          </li>
        ))}
      </ListPanel>
    </div>
  )
}

function Numbers({ statistics: { watched, putBack, declined } }: { statistics: Statistics }) {
  const { t } = useTranslation('watchlist')
  const { movies, runtimeMinutes, moviesWithoutRuntime } = watched
  return (
    <NumberCards label={t('statistics.numbers')}>
      <NumberCard value={movies} name={t('statistics.watched', { count: movies })} />
      <NumberCard
        value={hoursOf(runtimeMinutes)}
        name={t('statistics.hours')}
        note={moviesWithoutRuntime > 0 && t('statistics.withoutRuntime', { count: moviesWithoutRuntime })}
      />
      <NumberCard value={putBack} name={t('statistics.putBack', { count: putBack })} />
      <NumberCard value={declined} name={t('statistics.declined', { count: declined })} />
    </NumberCards>
  )
}

function ListPanel({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  const titleId = useId()
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-4">
      <div>
        <h2 id={titleId} className="text-xl">
          {title}
        </h2>
        <p className="text-sm text-muted">{hint}</p>
      </div>
      <ul className="flex flex-col gap-3">{children}</ul>
    </Panel>
  )
}

function MovieItem({ movie, value }: { movie: MovieInStatistics; value: string }) {
  const { t } = useTranslation('watchlist')
  return (
    <li className="flex items-center gap-3">
      <MoviePoster card={movie} className="w-12 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2 font-semibold">
          <bdi>{movie.title}</bdi>
        </span>
        <span className="text-sm text-muted">{t('statistics.suggestedBy', { user: movie.creatorId })}</span>
      </span>
      <span className="shrink-0 text-sm tabular-nums">{value}</span>
    </li>
  )
}

function Empty() {
  const { t } = useTranslation('watchlist')
  return (
    <output className="block rounded-panel border border-dashed border-line px-6 py-12 text-center">
      <span className="block font-display text-xl font-semibold">{t('statistics.empty')}</span>
      <span className="mx-auto mt-1 block max-w-sm text-muted">{t('statistics.emptyHint')}</span>
    </output>
  )
}

function hoursOf(minutes: number): number {
  return Math.round(minutes / 60)
}

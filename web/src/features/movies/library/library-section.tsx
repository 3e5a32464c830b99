import type { Card } from '@marquee/contract/entities/card'
import { LIBRARY_SORTS, type LibrarySort } from '@marquee/contract/rules/library'
import { LayoutGrid, Search, SlidersHorizontal, Table2 } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useState } from 'react'
import { Link } from 'react-router'

import { CallFailure } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { inputStyle } from '#web/ui/field.tsx'
import { selectStyle } from '#web/ui/select-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { FilterChips, LibraryFilters } from './library-filters.tsx'
import { FILTERS, type LibraryQuery, type LibraryView, useLibrarySearch, VIEWS } from './library-search.ts'
import { MovieDetails } from './movie-details.tsx'
import { MovieTable } from './movie-table.tsx'
import { PosterGrid } from './poster-grid.tsx'
import { useLiveLibrary } from './queries.ts'
import { useMovies } from './use-movies.ts'

type LibrarySectionProps = {
  watchlistId: string
  /** The names of the members. */
  members: readonly string[]
  isMember: boolean
}

/** The movies of a watchlist that are not in the box: searched, filtered, sorted, as posters or as a table. */
export function LibrarySection({ watchlistId, members, isMember }: LibrarySectionProps) {
  const { t } = useTranslation('watchlist')
  const { query, view, change } = useLibrarySearch()
  const filtersId = useId()
  const activeCount = FILTERS.filter((name) => query[name] !== undefined).length
  const [showsFilters, setShowsFilters] = useState(false)
  const [opened, setOpened] = useState<Card>()
  useLiveLibrary(watchlistId)
  const [screen, setScreen] = useState({ first: 0, last: 0 })
  const movies = useMovies(watchlistId, query, screen)
  const { cards, offset, count, hasMore, genres, error } = movies
  const sortBy = (sort: LibrarySort) => change({ sort: sort === 'changed' ? undefined : sort })
  const shelf = {
    cards,
    offset,
    count: count ?? 0,
    hasMore,
    onScreen: setScreen,
    onEnd: movies.loadMore,
    onOpen: setOpened,
  }
  const isFiltered = activeCount > 0 || query.q !== undefined

  return (
    <div className="flex flex-col gap-4">
      <Toolbar
        query={query}
        view={view}
        isMember={isMember}
        activeCount={activeCount}
        showsFilters={showsFilters}
        filtersId={filtersId}
        onSearch={(q) => change({ q })}
        onSort={sortBy}
        onView={(chosen) => change({ view: chosen === 'grid' ? undefined : chosen })}
        onToggleFilters={() => setShowsFilters(!showsFilters)}
      />
      <div id={filtersId} className="empty:hidden">
        {showsFilters && (
          <LibraryFilters query={query} members={members} isMember={isMember} genres={genres} onChange={change} />
        )}
      </div>
      <FilterChips query={query} onChange={change} />
      <Found count={count} hasMore={hasMore} />
      {(count === undefined || (count === 0 && hasMore)) && error === null && <ShelfSkeleton />}
      {count === 0 && !hasMore && <NothingFound watchlistId={watchlistId} isFiltered={isFiltered} />}
      {shelf.count > 0 && (
        <div className={classes(movies.isOutdated && 'opacity-60')}>
          {view === 'grid' ? <PosterGrid {...shelf} /> : <MovieTable {...shelf} sort={query.sort} onSort={sortBy} />}
        </div>
      )}
      <Loading isLoadingMore={movies.isLoadingMore && count !== 0} />
      {error !== null && (
        <RetryBanner query={{ refetch: movies.retry }}>
          <CallFailure what={t('library.failed')} kind="FETCH_ERROR" error={error} />
        </RetryBanner>
      )}
      {opened !== undefined && <MovieDetails card={opened} onClose={() => setOpened(undefined)} />}
    </div>
  )
}

type ToolbarProps = {
  query: LibraryQuery
  view: LibraryView
  isMember: boolean
  activeCount: number
  showsFilters: boolean
  filtersId: string
  onSearch: (q: string) => void
  onSort: (sort: LibrarySort) => void
  onView: (view: LibraryView) => void
  onToggleFilters: () => void
}

const VIEW_ICONS = { grid: LayoutGrid, table: Table2 }

function Toolbar(props: ToolbarProps) {
  const { query, view, isMember, activeCount, showsFilters, filtersId, onSearch, onSort, onView, onToggleFilters } =
    props
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchBox value={query.q ?? ''} onSearch={onSearch} />
      <Button
        tone="quiet"
        icon={<SlidersHorizontal aria-hidden />}
        aria-expanded={showsFilters}
        aria-controls={filtersId}
        onClick={onToggleFilters}
      >
        {activeCount === 0 ? t('library.filters') : t('library.filtersActive', { count: activeCount })}
      </Button>
      <select
        aria-label={t('library.sort')}
        value={query.sort}
        onChange={({ target }) => onSort(LIBRARY_SORTS.find((sort) => sort === target.value) ?? 'changed')}
        className={`${selectStyle} w-auto! min-w-0 text-ellipsis max-sm:flex-1 max-sm:basis-22`}
      >
        {LIBRARY_SORTS.filter((sort) => isMember || sort !== 'rating').map((sort) => (
          <option key={sort} value={sort}>
            {t(`library.sorts.${sort}`)}
          </option>
        ))}
      </select>
      <fieldset aria-label={t('library.view')} className="flex gap-1">
        {VIEWS.map((one) => {
          const Icon = VIEW_ICONS[one]
          return (
            <IconButton
              key={one}
              icon={<Icon aria-hidden />}
              aria-label={t(`library.${one}`)}
              aria-pressed={view === one}
              onClick={() => onView(one)}
              className="aria-pressed:bg-raised aria-pressed:text-accent"
            />
          )
        })}
      </fieldset>
    </div>
  )
}

/** The URL follows the field after this pause. */
const TYPING_MS = 250

/** Searches while the user types. */
function SearchBox({ value, onSearch }: { value: string; onSearch: (q: string) => void }) {
  const { t } = useTranslation('watchlist')
  const [typed, setTyped] = useState(value)
  const [searched, setSearched] = useState(value)
  // The URL changed elsewhere, for example by Back.
  if (value !== searched) {
    setSearched(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (typed.trim() === searched) return undefined
    const timer = setTimeout(() => search(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, searched])
  return (
    <search className="relative min-w-0 flex-1 basis-60 max-sm:basis-full">
      <Search
        aria-hidden
        className="pointer-events-none absolute start-3 top-1/2 size-4.5 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        name="q"
        aria-label={t('library.search')}
        placeholder={t('library.search')}
        maxLength={200}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className={`${inputStyle} ps-10!`}
      />
    </search>
  )
}

/** How many movies were found. */
function Found({ count, hasMore }: { count: number | undefined; hasMore: boolean }) {
  const { t } = useTranslation('watchlist')
  return (
    <output className="text-sm text-muted">
      {count !== undefined && count > 0 && t(hasMore ? 'library.foundMore' : 'library.found', { count })}
    </output>
  )
}

function NothingFound({ watchlistId, isFiltered }: { watchlistId: string; isFiltered: boolean }) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="rounded-panel border border-dashed border-line px-6 py-12 text-center">
      <output>
        <span className="block font-display text-xl font-semibold">
          {t(isFiltered ? 'library.noMatch' : 'library.empty')}
        </span>
        <span className="mx-auto mt-1 block max-w-sm text-muted">
          {t(isFiltered ? 'library.noMatchHint' : 'library.emptyHint')}
        </span>
      </output>
      {!isFiltered && (
        <Link to={to.watchlist(watchlistId)} className={classes(buttonStyle('primary'), 'mt-4')}>
          {t('library.toBox')}
        </Link>
      )}
    </div>
  )
}

function ShelfSkeleton() {
  const { t } = useTranslation('watchlist')
  return (
    <div>
      <output className="sr-only">{t('library.loading')}</output>
      <div aria-hidden className="grid grid-cols-[repeat(auto-fill,minmax(136px,1fr))] gap-4">
        {Array.from({ length: 12 }, (_, n) => (
          <Skeleton key={n} className="aspect-2/3" />
        ))}
      </div>
    </div>
  )
}

function Loading({ isLoadingMore }: { isLoadingMore: boolean }) {
  const { t } = useTranslation('watchlist')
  if (!isLoadingMore) return null
  return (
    <div className="flex justify-center py-4">
      <Spinner label={t('library.loadingMore')} />
    </div>
  )
}

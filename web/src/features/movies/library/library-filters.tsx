import '#web/i18n/where-texts.ts'
import { LIBRARY_STATUSES } from '@marquee/contract/rules/library'
import { X } from 'lucide-react'
import { use, useState } from 'react'

import { features } from '#web/config.ts'
import { useRuntimeText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { SelectField } from '#web/ui/select-field.tsx'

import { Country } from '../card/card-context.ts'
import { type FilterName, FILTERS, type LibraryQuery, SEEN } from './library-search.ts'
import { useStatusText } from './movie-texts.ts'

const FIRST_DECADE = 1890
const LENGTHS = [90, 100, 120, 150, 180]
const STARS = [5, 4, 3, 2]

type FiltersProps = {
  query: LibraryQuery
  /** The names of the members. */
  members: readonly string[]
  /** Whether the user can have seen and rated movies here. */
  isMember: boolean
  /** The genres of the movies that are loaded. */
  genres: readonly string[]
  onChange: (changed: Partial<Record<FilterName, string>>) => void
}

/** The filters behind their button. */
export function LibraryFilters({ query, members, isMember, genres, onChange }: FiltersProps) {
  const { t } = useTranslation('watchlist')
  const runtimeText = useRuntimeText()
  const statusText = useStatusText()
  const watchable = useWatchableText()
  const [thisDecade] = useState(() => Math.floor(new Date().getFullYear() / 10) * 10)
  const decades = Array.from({ length: (thisDecade - FIRST_DECADE) / 10 + 1 }, (_, n) => thisDecade - n * 10)
  const choice = (name: FilterName, options: ChoiceProps['options']) => (
    <Choice name={name} options={options} query={query} onChange={onChange} />
  )
  return (
    <div className="grid grid-cols-2 gap-3 rounded-panel border border-line bg-surface p-4 sm:grid-cols-3 lg:grid-cols-5">
      {choice(
        'status',
        LIBRARY_STATUSES.map((status) => [status, statusText(status)]),
      )}
      {choice(
        'genre',
        genres.map((genre) => [genre, genre]),
      )}
      {choice(
        'decade',
        decades.map((year) => [String(year), t('library.decadeOf', { year })]),
      )}
      {choice(
        'maxRuntime',
        LENGTHS.map((minutes) => [String(minutes), t('library.atMost', { length: runtimeText(minutes) })]),
      )}
      {choice(
        'suggestedBy',
        members.map((name) => [name, name]),
      )}
      {isMember && (
        <>
          {choice(
            'seen',
            SEEN.map((seen) => [seen, t(`library.seenBy.${seen}`)]),
          )}
          {choice(
            'ownRating',
            STARS.map((stars) => [String(stars), t('library.stars', { stars })]),
          )}
          {choice(
            'averageRating',
            STARS.map((stars) => [String(stars), t('library.stars', { stars })]),
          )}
          {watchable !== undefined && choice('watchable', [['yes', watchable]])}
        </>
      )}
    </div>
  )
}

/** Where movies can be watched, as far as this installation knows it. */
function useWatchableText(): string | undefined {
  const { t } = useTranslation('watchlist')
  const { t: tWhere } = useTranslation('moviecard')
  const { watchProviders, mediaServers } = features()
  const hasServices = use(Country) !== undefined && watchProviders === true
  if (mediaServers === true) return tWhere(hasServices ? 'where.filter.both' : 'where.filter.server')
  return hasServices ? t('library.watchableHere') : undefined
}

type ChoiceProps = Pick<FiltersProps, 'query' | 'onChange'> & {
  name: FilterName
  options: readonly (readonly [value: string, label: string])[]
}

function Choice({ name, options, query, onChange }: ChoiceProps) {
  const { t } = useTranslation('watchlist')
  const labelOf = useFilterLabel()
  const value = String(query[name] ?? '')
  const isOther = value !== '' && options.every(([known]) => known !== value)
  return (
    <SelectField
      label={t(`library.${name}`)}
      name={name}
      value={value}
      onChange={(chosen) => onChange({ [name]: chosen })}
    >
      <option value="">{t('library.any')}</option>
      {isOther && <option value={value}>{labelOf(name, query)}</option>}
      {options.map(([known, label]) => (
        <option key={known} value={known}>
          {label}
        </option>
      ))}
    </SelectField>
  )
}

/** What a filter is set to, in words. */
function useFilterLabel(): (name: FilterName, query: LibraryQuery) => string {
  const { t } = useTranslation('watchlist')
  const runtimeText = useRuntimeText()
  const statusText = useStatusText()
  return (name, { status, genre = '', decade, maxRuntime = 0, suggestedBy = '', ...own }) => {
    switch (name) {
      case 'status':
        return status === undefined ? '' : statusText(status)
      case 'genre':
        return genre
      case 'decade':
        return t('library.decadeOf', { year: decade })
      case 'maxRuntime':
        return t('library.atMost', { length: runtimeText(maxRuntime) })
      case 'suggestedBy':
        return suggestedBy
      case 'seen':
        return own.seen === undefined ? '' : t(`library.seenBy.${own.seen}`)
      case 'ownRating':
        return t('library.rated', { stars: own.ownRating })
      case 'averageRating':
        return t('library.averaged', { stars: own.averageRating })
      case 'watchable':
        return t('library.watchable')
    }
  }
}

type ChipsProps = Pick<FiltersProps, 'query' | 'onChange'>

/** The filters that are set, each with a button that removes it. */
export function FilterChips({ query, onChange }: ChipsProps) {
  const { t } = useTranslation('watchlist')
  const labelOf = useFilterLabel()
  const active = FILTERS.filter((name) => query[name] !== undefined)
  if (active.length === 0) return null
  return (
    <ul aria-label={t('library.filters')} className="flex flex-wrap gap-2">
      {active.map((name) => (
        <li key={name}>
          <button
            type="button"
            aria-label={t('library.remove', { name: labelOf(name, query) })}
            onClick={() => onChange({ [name]: '' })}
            className="inline-flex min-h-8 items-center gap-1.5 rounded-full border border-accent bg-raised px-3 text-sm font-medium hover:bg-line pointer-coarse:min-h-11"
          >
            {labelOf(name, query)}
            <X aria-hidden className="size-4 text-muted" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          onClick={() => onChange(Object.fromEntries(active.map((name) => [name, ''])))}
          className="min-h-8 rounded-control px-2 text-sm font-medium text-muted hover:text-text pointer-coarse:min-h-11"
        >
          {t('library.clear')}
        </button>
      </li>
    </ul>
  )
}

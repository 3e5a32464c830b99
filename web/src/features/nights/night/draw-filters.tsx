import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import { DrawFilter, type DrawOdds } from '@marquee/contract/entities/draw'
import type { Night } from '@marquee/contract/entities/night'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import {
  DRAW_BAND,
  DRAW_RUNTIME_STEP,
  MAX_GENRE_LENGTH,
  MAX_GENRES,
  MAX_RUNTIME_MINUTES,
} from '@marquee/contract/limits'
import { hidesCount } from '@marquee/contract/rules/draw-secrecy'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import { type ReactNode, use, useEffect, useId, useState } from 'react'
import { z } from 'zod'

import { call } from '#web/api/call.ts'
import { useReadAgain } from '#web/api/read-again.ts'
import { readJson } from '#web/api/read-json.ts'
import { features } from '#web/config.ts'
import { Country } from '#web/features/movies/card/card-context.ts'
import { frequentGenres } from '#web/features/movies/library/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { type Draft, useDraft } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { ChipField } from '#web/ui/chip-field.tsx'
import { chipNames, type Chips, NO_CHIPS } from '#web/ui/chips.ts'
import { TextField } from '#web/ui/text-field.tsx'

/** The filters as the form holds them. */
export type FilterValues = {
  /** How many cards a shortlist has. */
  size: number
  maxRuntime: string
  includeUnknownRuntime: boolean
  withoutGenres: Chips
  isUnseen: boolean
  isWatchable: boolean
}

const Kept = z.object({
  nightId: z.string(),
  size: z.literal([...SHORTLIST_SIZES]),
  maxRuntime: z.string(),
  includeUnknownRuntime: z.boolean(),
  withoutGenres: z.object({ chosen: z.array(z.string()), typed: z.string() }),
  isUnseen: z.boolean(),
  // A tab of an earlier version has kept none.
  isWatchable: z.boolean().default(false),
})

/** The filters begin as the last draw in this tab had them. The longest runtime is that of the plan. */
function firstFilters({ id, maxRuntimeMinutes }: Night, draft: Draft): FilterValues {
  const maxRuntime = String(maxRuntimeMinutes ?? '')
  const { nightId, ...kept } = readJson(Kept, draft.read()) ?? {
    nightId: id,
    size: SHORTLIST_SIZES[0],
    maxRuntime,
    includeUnknownRuntime: true,
    withoutGenres: NO_CHIPS,
    isUnseen: true,
    isWatchable: false,
  }
  return nightId === id ? kept : { ...kept, maxRuntime }
}

/** Whether this installation can know where the movies of this watchlist are. */
function useKnowsWhere(): boolean {
  const country = use(Country)
  const { watchProviders, mediaServers } = features()
  return mediaServers === true || (watchProviders === true && country !== undefined)
}

/** The filters of the draws of a night, which stay from one draw to the next. */
export function useFilters(night: Night) {
  const draft = useDraft(`draw.${night.watchlistId}`)
  const knowsWhere = useKnowsWhere()
  const [kept, setFilters] = useState(() => firstFilters(night, draft))
  const filters = { ...kept, isWatchable: kept.isWatchable && knowsWhere }
  const change = (next: FilterValues) => {
    setFilters(next)
    draft.save(JSON.stringify({ nightId: night.id, ...next }))
  }
  return [filters, change] as const
}

/** The filter of a draw for those who are here; null for all cards. It may be invalid. */
export function filterOf({ present }: Pick<Night, 'present'>, values: FilterValues): DrawFilter | null {
  const { maxRuntime, includeUnknownRuntime, isUnseen, isWatchable } = values
  const withoutGenres = chipNames(values.withoutGenres)
  const filter = {
    ...(maxRuntime.trim() !== '' && { maxRuntime: Number(maxRuntime), includeUnknownRuntime }),
    ...(withoutGenres.length > 0 && { withoutGenres }),
    ...(isUnseen && present.length > 0 && { unseenBy: present.map(({ username }) => username) }),
    ...(isWatchable && { watchable: true as const }),
  }
  return Object.keys(filter).length === 0 ? null : filter
}

/** The fields that the contract rejects. */
export function wrongFilters(values: FilterValues): ('maxRuntime' | 'withoutGenres')[] {
  const { maxRuntime, withoutGenres } = filterOf({ present: [] }, values) ?? {}
  return [
    ...(DrawFilter.shape.maxRuntime.safeParse(maxRuntime).success ? [] : ['maxRuntime' as const]),
    ...(DrawFilter.shape.withoutGenres.safeParse(withoutGenres).success ? [] : ['withoutGenres' as const]),
  ]
}

const oddsKey = (watchlistId: string) => ['night-odds', watchlistId] as const

/** How many cards take part in a draw with this filter, given as JSON. */
const oddsWith = (watchlistId: string, filter: string | undefined) =>
  queryOptions({
    queryKey: [...oddsKey(watchlistId), filter ?? ''] as const,
    queryFn: async ({ signal }) =>
      call(DRAW_ENDPOINTS.getDrawOdds, { params: { watchlistId }, query: { filter }, signal }),
    placeholderData: keepPreviousData,
  })

type DrawFiltersProps = {
  night: Night
  values: FilterValues
  onChange: (values: FilterValues) => void
  /** What is folded with the filters that few need. */
  children?: ReactNode
}

/** The filters of the next draw, those that few need behind a button, and how many cards of the box fit them. */
export function DrawFilters({ night, values, onChange, children }: DrawFiltersProps) {
  const { t } = useTranslation('watchlist')
  const formId = useId()
  const [isOpen, setOpen] = useState(false)
  const wrong = wrongFilters(values)
  // An error stays in sight.
  const isShown = isOpen || wrong.includes('withoutGenres')
  const filter = wrong.length > 0 ? undefined : filterOf(night, values)
  return (
    <div className="flex flex-col gap-3 self-stretch">
      <CommonFilters values={values} onChange={onChange} isWrong={wrong.includes('maxRuntime')} />
      <div className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-2">
        <Button
          tone="quiet"
          size="small"
          icon={<SlidersHorizontal aria-hidden />}
          aria-expanded={isShown}
          aria-controls={formId}
          onClick={() => setOpen(!isShown)}
        >
          {t('night.draw.filters')}
        </Button>
        {filter !== undefined && !hidesCount(filter) && (
          <FittingCount watchlistId={night.watchlistId} filter={filter} />
        )}
        {filter !== undefined && hidesCount(filter) && (
          <output className="text-sm">{t('night.draw.countSecret')}</output>
        )}
      </div>
      <div id={formId} className="flex flex-col gap-3 empty:hidden">
        {isShown && (
          <>
            <RareFilters
              watchlistId={night.watchlistId}
              values={values}
              onChange={onChange}
              isWrong={wrong.includes('withoutGenres')}
            />
            {children}
          </>
        )}
      </div>
    </div>
  )
}

type FilterFieldsProps = Pick<DrawFiltersProps, 'values' | 'onChange'> & { isWrong: boolean }

function CommonFilters({ values, onChange, isWrong }: FilterFieldsProps) {
  const { t } = useTranslation('watchlist')
  const knowsWhere = useKnowsWhere()
  return (
    <>
      <TextField
        label={t('night.form.maxRuntime')}
        hint={t('night.draw.lengthHint', { step: DRAW_RUNTIME_STEP })}
        name="maxRuntime"
        inputMode="numeric"
        autoComplete="off"
        value={values.maxRuntime}
        error={isWrong ? t('night.form.runtimeInvalid', { max: MAX_RUNTIME_MINUTES }) : undefined}
        onChange={(event) => onChange({ ...values, maxRuntime: event.target.value })}
      />
      <Checkbox
        name="unseen"
        label={t('night.draw.unseen')}
        checked={values.isUnseen}
        onChange={(event) => onChange({ ...values, isUnseen: event.target.checked })}
      />
      {knowsWhere && (
        <Checkbox
          name="watchable"
          label={t('night.draw.watchable')}
          checked={values.isWatchable}
          onChange={(event) => onChange({ ...values, isWatchable: event.target.checked })}
        />
      )}
    </>
  )
}

function RareFilters({ watchlistId, values, onChange, isWrong }: FilterFieldsProps & { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  // Typing needs no suggestions.
  const { data: known } = useQuery(frequentGenres(watchlistId))
  return (
    <>
      <Checkbox
        name="includeUnknownRuntime"
        label={t('night.draw.unknownLength')}
        checked={values.includeUnknownRuntime}
        disabled={values.maxRuntime.trim() === ''}
        onChange={(event) => onChange({ ...values, includeUnknownRuntime: event.target.checked })}
      />
      <ChipField
        label={t('night.draw.withoutGenres')}
        hint={t(known?.length === 0 ? 'night.draw.genresTyped' : 'night.draw.genresHint')}
        name="withoutGenres"
        value={values.withoutGenres}
        known={known}
        error={isWrong ? t('night.draw.genresInvalid', { max: MAX_GENRES, length: MAX_GENRE_LENGTH }) : undefined}
        onChange={(withoutGenres) => onChange({ ...values, withoutGenres })}
      />
    </>
  )
}

/** About how many cards of the box take part, read again when the box changes. While it is read, the last text stays. */
function FittingCount({ watchlistId, filter }: { watchlistId: string; filter: DrawFilter | null }) {
  const { t } = useTranslation('watchlist')
  const { t: drawText } = useTranslation('moviecard')
  const fitText = useFitText()
  const settled = useSettled(filter === null ? undefined : JSON.stringify(filter))
  const { data: fitting } = useQuery(oddsWith(watchlistId, settled))
  const { data: all } = useQuery(oddsWith(watchlistId, undefined))
  useReadAgain(
    watchlistId,
    oddsKey(watchlistId),
    (kind) => kind.startsWith('card-') || ['box-changed', 'draws-changed', 'viewings-changed'].includes(kind),
  )
  // A filter that only resting cards fit draws from them, so they count.
  const count = all && all.eligible + all.resting
  return (
    <output className="text-sm">
      {fitting &&
        count !== undefined &&
        [
          fitText(fitting, count),
          ...(fitting.resting > 0 && !fitting.isBand ? [drawText('draws.resting', { count: fitting.resting })] : []),
          ...(fitting.eligible === 0 && count > 0 ? [t('night.draw.noneFits')] : []),
        ].join(' ')}
    </output>
  )
}

function useFitText() {
  const { t } = useTranslation('watchlist')
  return ({ eligible: fit, isBand }: DrawOdds, all: number): string => {
    if (all === 0) return t('night.draw.emptyBox')
    // None and all are exact.
    if (!isBand || fit === 0 || fit >= all) return t('night.draw.fit', { count: fit, all })
    if (fit === DRAW_BAND) return t('night.draw.fitMany', { count: fit, all })
    return t('night.draw.fitFew', { count: Math.min(DRAW_BAND - 1, all), all })
  }
}

const TYPING_PAUSE_MS = 300

/** The value once it has not changed for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

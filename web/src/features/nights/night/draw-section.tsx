import { ENDPOINTS } from '@marquee/contract/endpoints'
import type { DrawFilter } from '@marquee/contract/entities/draw'
import type { Night } from '@marquee/contract/entities/night'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ListChecks, Shuffle } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'

import { call } from '#web/api/call.ts'
import { answerDraw, drawCards } from '#web/api/draw.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

import { DrawFilters, filterOf, type FilterValues, wrongFilters } from './draw-filters.tsx'
import { NightFailure } from './night-parts.tsx'
import { nightVote } from './vote-queries.ts'

/** More than an evening needs. */
const SHOWN_CARDS = 20

/** The cards that came into the feed during the night and were not declined, newest first. */
const drawnTonight = ({ watchlistId, id, startedAt }: Night) =>
  queryOptions({
    queryKey: ['night-cards', watchlistId, id],
    queryFn: async ({ signal }) => {
      const { cards } = await call(ENDPOINTS.listCards, {
        params: { watchlistId },
        query: { limit: SHOWN_CARDS },
        signal,
      })
      return cards.filter(
        ({ status, statusChangedAt }) => status !== 'REJECTED' && statusChangedAt >= (startedAt ?? ''),
      )
    },
  })

type Drawing = { filter: DrawFilter | null; shortlist: number | undefined }

/** Draws a card, or a shortlist to vote on, with the seeds of the devices at the night. */
export async function draw(night: Night, { filter, shortlist }: Drawing): Promise<void> {
  const { id: nightId, watchlistId, present, guests } = night
  await drawCards({
    watchlistId,
    body: { filter, picks: shortlist ?? 1, nightId },
    hasOthers: present.length + guests.length > 1,
    reveal: async (drawNumber, seeds): Promise<unknown> =>
      shortlist === undefined
        ? call(ENDPOINTS.revealDraw, { params: { watchlistId, drawNumber }, body: { seeds } })
        : call(ENDPOINTS.openVote, { params: { nightId }, body: { drawNumber, seeds } }),
  })
}

/** Takes part with this device in each draw that is prepared while its user is at the night. */
export function useSeeds(night: Night, isHere: boolean): void {
  useLiveEvents(night.watchlistId, {
    onEvent: (event) => {
      if (isHere) answerDraw(call, night.id, event)
    },
  })
}

type DrawSectionProps = {
  night: Night
  isHere: boolean
  filters: FilterValues
  onFilters: (filters: FilterValues) => void
  /** The movies that are not decided yet. */
  children: ReactNode
}

/** Draws from the box for the people who are here, and shows what was drawn tonight. */
export function DrawSection({ night, isHere, filters, onFilters, children }: DrawSectionProps) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  const drawn = drawnTonight(night)
  const { data: cards = [] } = useQuery(drawn)
  const [size, setSize] = useState<number>(SHORTLIST_SIZES[0])
  const accepted = cards.filter(({ status }) => status === 'WATCHED')
  const isWrong = wrongFilters(filters).length > 0
  const drawing = useMutation({
    mutationFn: async (shortlist: number | undefined) => draw(night, { filter: filterOf(night, filters), shortlist }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: drawn.queryKey })
      void client.invalidateQueries({ queryKey: nightVote(night).queryKey })
    },
  })
  useLiveEvents(night.watchlistId, {
    onEvent: ({ kind }) => {
      if (kind.startsWith('card-')) void client.invalidateQueries({ queryKey: drawn.queryKey })
    },
    onOpen: () => void client.invalidateQueries({ queryKey: drawn.queryKey }),
  })
  return (
    <div className="flex flex-col items-start gap-3 border-t border-line pt-4">
      <DrawFilters night={night} values={filters} onChange={onFilters} />
      <NightFailure what={t('night.draw.failed')} error={drawing.error} />
      <Button
        tone={isHere && cards.length === 0 ? 'primary' : 'quiet'}
        icon={<Shuffle aria-hidden />}
        busy={drawing.isPending}
        disabled={isWrong}
        onClick={() => drawing.mutate(undefined)}
      >
        {t('night.draw.button')}
      </Button>
      {isHere && (
        <div className="flex flex-wrap items-end gap-3">
          <SelectField
            label={t('night.draw.size')}
            name="size"
            value={size}
            onChange={(value) => setSize(Number(value))}
          >
            {SHORTLIST_SIZES.map((count) => (
              <option key={count}>{count}</option>
            ))}
          </SelectField>
          <Button
            tone="quiet"
            icon={<ListChecks aria-hidden />}
            busy={drawing.isPending}
            disabled={isWrong}
            onClick={() => drawing.mutate(size)}
          >
            {t('night.draw.shortlist')}
          </Button>
        </div>
      )}
      <output className="sr-only">{cards.length > 0 && t('night.draw.drawn', { title: cards[0]?.title })}</output>
      {children}
      {accepted.length > 0 && (
        <ul className="flex flex-col gap-1">
          {accepted.map((card) => (
            <li key={card.id} className="wrap-anywhere">
              {card.title}
              <span className="text-muted">
                {' · '}
                {t('night.draw.accepted')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {cards.some(({ status }) => status === 'REVEALED') && (
        <Link to={to.watchlist(night.watchlistId)} className="font-semibold underline">
          {t('night.draw.decide')}
        </Link>
      )}
    </div>
  )
}

import { DRAW_ENDPOINTS } from '@marquee/contract/endpoints/draws'
import { VOTE_ENDPOINTS } from '@marquee/contract/endpoints/votes'
import type { DrawFilter } from '@marquee/contract/entities/draw'
import type { Night } from '@marquee/contract/entities/night'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ListChecks, Shuffle } from 'lucide-react'
import { useId } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { call } from '#web/api/call.ts'
import { answerDraw, drawCards } from '#web/api/draw.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { NeedsConnection } from '#web/offline/needs-connection.tsx'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/select-field.tsx'

import { DrawFilters, filterOf, type FilterValues, wrongFilters } from './draw-filters.tsx'
import { nightVote } from './vote-queries.ts'

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
        ? call(DRAW_ENDPOINTS.revealDraw, { params: { watchlistId, drawNumber }, body: { seeds } })
        : call(VOTE_ENDPOINTS.openVote, { params: { nightId }, body: { drawNumber, seeds } }),
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
  filters: FilterValues
  onFilters: (filters: FilterValues) => void
  /** A movie or a shortlist was drawn. */
  onDrawn: () => void
  onBack: () => void
}

/** Draws from the box for the people who are here: a shortlist to vote on, or one movie. */
export function DrawSection({ night, filters, onFilters, onDrawn, onBack }: DrawSectionProps) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const client = useQueryClient()
  const { size } = filters
  const isWrong = wrongFilters(filters).length > 0
  const isAlone = night.present.length + night.guests.length < 2
  const drawing = useMutation({
    mutationFn: async (shortlist: number | undefined) => draw(night, { filter: filterOf(night, filters), shortlist }),
    // A live event may replace this form before the reply arrives.
    onSettled: async (_, error) => {
      await client.invalidateQueries({ queryKey: nightVote(night).queryKey })
      if (error === null) onDrawn()
    },
  })
  const button = (shortlist: number | undefined, isMain: boolean) => (
    <Button
      tone={isMain ? 'primary' : 'quiet'}
      size={isMain ? 'large' : 'normal'}
      icon={shortlist === undefined ? <Shuffle aria-hidden /> : <ListChecks aria-hidden />}
      busy={drawing.isPending && drawing.variables === shortlist}
      disabled={isWrong || drawing.isPending}
      onClick={() => drawing.mutate(shortlist)}
    >
      {t(shortlist === undefined ? 'night.draw.button' : 'night.draw.shortlist')}
    </Button>
  )
  return (
    <section aria-labelledby={titleId} className="flex flex-col gap-4">
      <h3 id={titleId} className="text-xl">
        {t('night.draw.title')}
      </h3>
      <DrawFilters night={night} values={filters} onChange={onFilters}>
        <SelectField
          label={t('night.draw.size')}
          name="size"
          value={size}
          onChange={(value) => onFilters({ ...filters, size: Number(value) })}
        >
          {SHORTLIST_SIZES.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </SelectField>
      </DrawFilters>
      <CallFailureBanner what={t('night.draw.failed')} error={drawing.error} />
      <NeedsConnection text={t('night.draw.needsConnection')} />
      <div className="flex flex-col gap-2 *:animate-settle sm:flex-row">
        {isAlone ? button(undefined, true) : button(size, true)}
        {isAlone ? button(size, false) : button(undefined, false)}
        <Button tone="quiet" onClick={onBack}>
          {t('night.draw.back')}
        </Button>
      </div>
    </section>
  )
}

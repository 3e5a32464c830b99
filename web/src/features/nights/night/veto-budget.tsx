import { MAX_VETO_BUDGET } from '@marquee/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { useLiveVetoBudget, useSetVetoBudget, vetoBudget } from './veto-queries.ts'

type VetoBudgetProps = { watchlistId: string; count: number }

/** How many vetoes each member has per month. For the owner. */
export function VetoBudget({ watchlistId, count }: VetoBudgetProps) {
  const { t } = useTranslation('watchlist')
  const save = useSetVetoBudget(watchlistId)
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label={t('night.vote.budget')}
        name="vetoBudget"
        // The choice shows before the server has answered.
        value={save.isPending ? save.variables : count}
        onChange={(value) => save.mutate(Number(value))}
      >
        {Array.from({ length: MAX_VETO_BUDGET + 1 }, (_, each) => (
          <option key={each}>{each}</option>
        ))}
      </SelectField>
      <CallFailureBanner what={t('night.stepFailed')} error={save.error} />
    </div>
  )
}

/** Among the settings of a watchlist: how many vetoes each member has per month. The owner changes it, the others read it. */
export function VetoSection({ watchlistId, isOwner }: { watchlistId: string; isOwner: boolean }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const query = useQuery(vetoBudget(watchlistId))
  const { data: count } = query
  useLiveVetoBudget(watchlistId)
  return (
    <Panel aria-labelledby={headingId} className="flex flex-col gap-4">
      <h2 id={headingId} className="text-xl">
        {t('settings.vetoes')}
      </h2>
      {count === undefined && (
        <Unread
          query={query}
          loading={<Skeleton className={isOwner ? 'h-18' : 'h-6'} />}
          failed={t('settings.vetoesFailed')}
        />
      )}
      {count !== undefined && isOwner && <VetoBudget watchlistId={watchlistId} count={count} />}
      {count !== undefined && !isOwner && (
        <dl className="flex flex-wrap gap-x-2">
          <dt className="text-muted">{t('night.vote.budget')}</dt>
          <dd className="font-semibold tabular-nums">{count}</dd>
        </dl>
      )}
    </Panel>
  )
}

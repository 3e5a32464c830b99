import '#web/i18n/where-texts.ts'
import { TMDB_ATTRIBUTION } from '@marquee/contract/entities/catalogue'
import type { StreamingService } from '@marquee/contract/entities/streaming-service'
import { useQueries, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { type ServiceChange, useChooseService, withChange } from '#web/people/mutations.ts'
import { ownProfile, servicesOf } from '#web/people/queries.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { watchlistList } from '../watchlists/queries.ts'
import { profileFailure } from './picture-section.tsx'

const HEADING_ID = 'services'
/** The best known ones come first. */
const SHOWN_FIRST = 24

/** The streaming services of the countries in which the user watches. Without such a country there is nothing to choose. */
export function ServiceChoice() {
  const { t } = useTranslation('moviecard')
  const { data: watchlists = [] } = useQuery(watchlistList())
  const { data: profile } = useQuery(ownProfile())
  const countries = [...new Set(watchlists.flatMap(({ country }) => country ?? []))]
  const lists = useQueries({ queries: countries.map((country) => servicesOf(country)) })
  if (countries.length === 0 || profile === undefined) return null
  const services = new Map(lists.flatMap(({ data = [] }) => data).map((service) => [service.serviceId, service]))
  const failed = lists.filter(({ isError }) => isError)
  return (
    <Panel aria-labelledby={HEADING_ID} className="flex flex-col gap-3">
      <h2 id={HEADING_ID} tabIndex={-1} className="text-xl focus:outline-none">
        {t('where.own.title')}
      </h2>
      <p className="text-sm text-muted">{t('where.own.hint')}</p>
      {failed.length > 0 && (
        <RetryBanner
          query={{
            refetch: () => failed.forEach(({ refetch }) => void refetch()),
            isFetching: failed.some(({ isFetching }) => isFetching),
          }}
        >
          {t('where.own.loadFailed')}
        </RetryBanner>
      )}
      <Choice services={[...services.values()]} own={profile.services ?? []} />
      <p className="text-xs text-muted">
        {t('where.source')} <span lang="en">{TMDB_ATTRIBUTION}</span>
      </p>
    </Panel>
  )
}

function Choice({ services, own }: { services: readonly StreamingService[]; own: readonly number[] }) {
  const { t } = useTranslation('moviecard')
  const choose = useChooseService()
  const [unanswered, setUnanswered] = useState<readonly ServiceChange[]>([])
  const chosen = unanswered.reduce<readonly number[]>(withChange, own)
  const [showsAll, setShowsAll] = useState(false)
  const [first] = useState(own)
  const shown = services.filter(({ serviceId }, place) => showsAll || place < SHOWN_FIRST || first.includes(serviceId))
  const toggle = async (serviceId: number) => {
    const change = { serviceId, isChosen: !chosen.includes(serviceId) }
    setUnanswered((others) => [...others, change])
    // The failure shows above.
    await choose.mutateAsync(change).catch(() => {})
    setUnanswered((all) => all.filter((one) => one !== change))
  }
  return (
    <>
      <CallFailureBanner
        what={t('where.own.saveFailed')}
        kind={profileFailure('change', choose.error)}
        error={choose.error}
      />
      <ul aria-label={t('where.own.list')} className="flex flex-wrap gap-2">
        {shown.map(({ serviceId, name }) => (
          <li key={serviceId}>
            <button
              type="button"
              aria-pressed={chosen.includes(serviceId)}
              onClick={() => void toggle(serviceId)}
              className="inline-flex min-h-9 items-center gap-1.5 rounded-full border border-control-edge px-3 text-start text-sm font-medium hover:bg-raised aria-pressed:border-accent aria-pressed:bg-raised pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0"
            >
              {/* The room of the mark is kept, so that no other service moves. */}
              <Check aria-hidden className={chosen.includes(serviceId) ? 'text-accent' : 'opacity-0'} />
              <bdi className="wrap-anywhere">{name}</bdi>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < services.length && (
        <Button tone="quiet" size="small" className="self-start" onClick={() => setShowsAll(true)}>
          {t('where.own.all')}
        </Button>
      )}
    </>
  )
}

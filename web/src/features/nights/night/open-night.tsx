import type { Night } from '@marquee/contract/entities/night'
import { isSameUser } from '@marquee/contract/rules/account'
import { useQuery } from '@tanstack/react-query'
import { DoorOpen, Tv, UserCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { Link } from 'react-router'

import { momentText } from '#web/i18n/dates.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { PersonAvatar } from '#web/people/person-avatar.tsx'
import { RetryBanner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { TvSection } from '../big-screen/tv-section.tsx'
import { fillDisplay } from '../big-screen/use-display.ts'
import { firstFilters } from './draw-filters.tsx'
import { DrawSection, useSeeds } from './draw-section.tsx'
import { GuestEntrance, GuestItems } from './guest-entrance.tsx'
import { NightFacts, NightFailure, NightFailureText, personStyle } from './night-parts.tsx'
import { PassThePhone } from './pass-the-phone.tsx'
import { usePhoneGuests } from './phone-guests.ts'
import { useNightStep } from './queries.ts'
import { VetoSection } from './veto-section.tsx'
import { nightVote, useLiveVote, useVetoCard } from './vote-queries.ts'
import { OpenVote, VetoBudget, VoteResult } from './vote-section.tsx'

type OpenNightProps = { night: Night; username: string; isOwner: boolean }

/** The night that is on: who is here, and its end. */
export function OpenNight({ night, username, isOwner }: OpenNightProps) {
  const { t } = useTranslation('watchlist')
  const titleId = useId()
  const presence = useNightStep(night)
  const isHere = night.present.some((person) => isSameUser(person.username, username))
  useSeeds(night, isHere)
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-4 border-accent!">
      <div>
        <h2 id={titleId} className="text-2xl">
          {t('night.open.title')}
        </h2>
        {night.startedAt !== null && (
          <p className="text-sm text-muted">{t('night.open.since', { moment: momentText(night.startedAt) })}</p>
        )}
      </div>
      <NightFacts night={night} />
      <div className="flex flex-col gap-2">
        <output className="font-semibold">
          {t('night.open.here', { count: night.present.length + night.guests.length })}
        </output>
        <ul className="flex flex-wrap gap-2">
          {night.present.map((person) => (
            <li key={person.username} className={personStyle}>
              <PersonAvatar username={person.username} size="small" />
              <span className="truncate">{person.username}</span>
            </li>
          ))}
          <GuestItems night={night} />
        </ul>
      </div>
      <NightFailure what={t('night.stepFailed')} error={presence.error} />
      <div className="flex flex-wrap items-start gap-2">
        {isHere ? (
          <Button
            tone="quiet"
            size="small"
            icon={<DoorOpen aria-hidden />}
            busy={presence.isPending}
            onClick={() => presence.mutate('leave')}
          >
            {t('night.open.leave')}
          </Button>
        ) : (
          <Button
            tone="primary"
            className="me-4"
            icon={<UserCheck aria-hidden />}
            busy={presence.isPending}
            onClick={() => presence.mutate('arrive')}
          >
            {t('night.open.arrive')}
          </Button>
        )}
        <GuestEntrance night={night} />
        <Link to={to.nightScreen(night.watchlistId)} onClick={fillDisplay} className={buttonStyle('quiet', 'small')}>
          <Tv aria-hidden />
          {t('bigScreen.open')}
        </Link>
        {isHere && <TvSection night={night} />}
      </div>
      <Decision night={night} username={username} isHere={isHere} isOwner={isOwner} />
      <div className="border-t border-line pt-4">
        <ConfirmedStep night={night} step="end" label={t('night.open.end')} />
      </div>
    </Panel>
  )
}

/** The vote while one is open, else its result and the next draw. */
function Decision({ night, username, isHere, isOwner }: OpenNightProps & { isHere: boolean }) {
  const { t } = useTranslation('watchlist')
  const { data: state, isError, isFetching, refetch } = useQuery(nightVote(night))
  useLiveVote(night)
  const veto = useVetoCard(night)
  // A vote hides the form, and the next draw has the same filters.
  const [filters, setFilters] = useState(() => firstFilters(night))
  const phone = usePhoneGuests(night.id)
  if (state === undefined) {
    if (!isError) return null
    return (
      <RetryBanner onRetry={refetch} isRetrying={isFetching}>
        {t('night.vote.loadFailed')}
      </RetryBanner>
    )
  }
  const { vote, vetoBudget } = state
  if (vote?.closedAt === null) {
    return (
      <OpenVote key={vote.drawNumber} night={night} state={state} vote={vote} isHere={isHere}>
        <PassThePhone night={night} drawNumber={vote.drawNumber} username={username} phone={phone} />
      </OpenVote>
    )
  }
  return (
    <>
      {vote !== null && <VoteResult vote={vote} />}
      <DrawSection night={night} isHere={isHere} filters={filters} onFilters={setFilters}>
        <VetoSection
          state={state}
          present={night.present.length + night.guests.length}
          isHere={isHere}
          veto={veto}
          vetoesLeft={t('night.vote.vetoesLeft', { count: state.vetoesLeft })}
        />
      </DrawSection>
      {isOwner && <VetoBudget night={night} vetoBudget={vetoBudget} />}
    </>
  )
}

/** A button that ends or cancels a night, after a question. */
export function ConfirmedStep({ night, step, label }: { night: Night; step: 'end' | 'cancel'; label: string }) {
  const { t } = useTranslation('watchlist')
  const [isAsking, setAsking] = useState(false)
  const change = useNightStep(night)
  return (
    <>
      <Button tone="quiet" onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t(`night.sure.title.${step}`)}
        description={t(`night.sure.description.${step}`)}
        confirmLabel={t(`night.sure.confirm.${step}`)}
        cancelLabel={t(`night.sure.keep.${step}`)}
        action={change}
        failure={(error) => <NightFailureText what={t('night.stepFailed')} error={error} />}
        onConfirm={() => change.mutate(step, { onSuccess: () => setAsking(false) })}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

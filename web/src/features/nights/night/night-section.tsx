import type { Night } from '@marquee/contract/entities/night'
import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, Play } from 'lucide-react'
import { useRef, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { InviteFriends } from '#web/features/club/invitations/invite-friends.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Unread } from '#web/ui/unread.tsx'

import { FilmList } from './film-list.tsx'
import { OpenNight } from './open-night.tsx'
import { PlanForm } from './plan-form.tsx'
import { PlannedNight } from './planned-night.tsx'
import { nightList } from './night-list.ts'
import { useLiveNights, useOpenNight } from './queries.ts'

type NightSectionProps = {
  watchlistId: string
  username: string
  isOwner: boolean
  /** No one else is a member yet. */
  isAlone: boolean
}

/** The open night of a watchlist, the planned ones, and the form for another. */
export function NightSection({ watchlistId, username, isOwner, isAlone }: NightSectionProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery({
    ...nightList(watchlistId),
    select: ({ nights }) => nights,
  })
  const { data: list } = query
  useLiveNights(watchlistId)
  // 'new', or the night whose plan is being changed.
  const [edited, setEdited] = useState<Night | 'new'>()

  const section = useRef<HTMLDivElement>(null)
  const close = () => {
    setEdited(undefined)
    focusSoon(section)
  }

  if (edited !== undefined) {
    // As it is by now: another member may change it meanwhile.
    const night = edited === 'new' ? undefined : (list?.find(({ id }) => id === edited.id) ?? edited)
    return <PlanForm watchlistId={watchlistId} night={night} onClose={close} />
  }
  if (list === undefined) return <Unread query={query} loading={<Loading />} failed={t('night.loadFailed')} />
  const open = list.find(({ state }) => state === 'open')
  const planned = list.filter(({ state }) => state === 'planned')
  return (
    <div ref={section} tabIndex={-1} className="flex flex-col gap-6 focus:outline-none">
      {open !== undefined && <OpenNight night={open} username={username} isOwner={isOwner} />}
      {list.length === 0 && <p className="text-muted">{t('night.none')}</p>}
      {planned.map((night) => (
        <PlannedNight
          key={night.id}
          night={night}
          username={username}
          canStart={open === undefined}
          onChange={() => setEdited(night)}
        />
      ))}
      <Beginnings
        watchlistId={watchlistId}
        isFirst={list.length === 0}
        isAlone={isAlone}
        canStart={open === undefined}
        onPlan={() => setEdited('new')}
      />
      <FilmList watchlistId={watchlistId} />
    </div>
  )
}

function Loading() {
  const { t } = useTranslation('watchlist')
  return (
    <div>
      <output className="sr-only">{t('night.loading')}</output>
      <Skeleton className="h-48" />
    </div>
  )
}

type BeginningsProps = {
  watchlistId: string
  /** No night is on or planned, so this is what the screen is for. */
  isFirst: boolean
  isAlone: boolean
  canStart: boolean
  onPlan: () => void
}

function Beginnings({ watchlistId, isFirst, isAlone, canStart, onPlan }: BeginningsProps) {
  const { t } = useTranslation('watchlist')
  const open = useOpenNight(watchlistId)
  return (
    <div className="flex flex-col gap-3">
      <CallFailureBanner what={t('night.stepFailed')} error={open.error} />
      <div className="flex flex-wrap gap-3">
        <Button tone={isFirst ? 'primary' : 'quiet'} icon={<CalendarPlus aria-hidden />} onClick={onPlan}>
          {t('night.plan')}
        </Button>
        {canStart && (
          <Button tone="quiet" icon={<Play aria-hidden />} busy={open.isPending} onClick={() => open.mutate(undefined)}>
            {t('night.startNow')}
          </Button>
        )}
        {isAlone && <InviteFriends />}
      </div>
    </div>
  )
}

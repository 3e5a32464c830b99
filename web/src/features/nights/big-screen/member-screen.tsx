import { CARD_ENDPOINTS } from '@marquee/contract/endpoints/cards'
import type { Night } from '@marquee/contract/entities/night'
import type { NightScreen, ScreenMovie } from '@marquee/contract/entities/night-screen'
import { SHORTLIST_SIZES } from '@marquee/contract/entities/vote'
import { isSameUser } from '@marquee/contract/rules/account'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { call } from '#web/api/call.ts'
import { useLiveEvents } from '#web/api/live.ts'
import { catchUp } from '#web/api/own-changes.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { filterOf, useFilters } from '../night/draw-filters.tsx'
import { draw } from '../night/draw-section.tsx'
import { NightServers } from '../night/lazy-servers.tsx'
import { NightTitle } from '../night/night-parts.tsx'
import { useNightStep } from '../night/queries.ts'
import { BigScreen } from './big-screen.tsx'
import { Choices } from './choices.tsx'
import { nightScreen } from './queries.ts'

type MemberScreenProps = { night: Night; username: string; onLeave: () => void }

/** The big screen on a member's own device, such as a laptop at the television. */
export function MemberScreen({ night, username, onLeave }: MemberScreenProps) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  const { data: shown, error } = useQuery(nightScreen(night.id))
  const refetch = () => void client.invalidateQueries({ queryKey: nightScreen(night.id).queryKey })
  useLiveEvents(night.watchlistId, {
    onEvent: ({ kind }) => {
      refetch()
      if (kind === 'servers-changed' || kind === 'requests-changed') {
        void client.invalidateQueries({ queryKey: ['availability'] })
      }
    },
    onOpen: (moment) => void catchUp(client, nightScreen(night.id).queryKey, moment),
    onGone: onLeave,
  })
  const { drawing, moving } = useChoices(night, refetch)
  const presence = useNightStep(night)

  if (shown === undefined) {
    return <Waiting hasFailed={error !== null} />
  }
  const isHere = night.present.some((person) => isSameUser(person.username, username))
  const isBusy = drawing.isPending || moving.isPending
  const canDraw = shown.state === 'open' && shown.vote?.closedAt !== null
  return (
    <BigScreen night={shown} isLost={error !== null} isDrawing={drawing.isPending} onLeave={onLeave}>
      <div className="flex flex-col gap-[0.5em]">
        <CallFailureBanner what={t('night.draw.failed')} error={drawing.error} />
        <CallFailureBanner what={t('night.stepFailed')} error={moving.error ?? presence.error} />
        <Choices onLeave={onLeave}>
          {canDraw && shown.movie !== null && (
            <MovieChoices
              night={shown}
              movie={shown.movie}
              isHere={isHere}
              isBusy={isBusy}
              onMove={(movie, status) => moving.mutate({ cardId: movie.id, status })}
            />
          )}
          {canDraw && isHere && <DrawChoices isBusy={isBusy} onDraw={drawing.mutate} />}
          {canDraw && !isHere && (
            <Button tone="quiet" busy={presence.isPending} onClick={() => presence.mutate('arrive')}>
              {t('night.open.arrive')}
            </Button>
          )}
          <Button tone="quiet" onClick={onLeave}>
            {t('bigScreen.leave')}
          </Button>
        </Choices>
      </div>
    </BigScreen>
  )
}

/** One movie or a shortlist, for members who are here: what others draw does not show at the night. */
function DrawChoices({ isBusy, onDraw }: { isBusy: boolean; onDraw: (shortlist: number | undefined) => void }) {
  const { t } = useTranslation('watchlist')
  return [undefined, ...SHORTLIST_SIZES].map((size) => (
    <Button key={size ?? 1} tone="quiet" disabled={isBusy} onClick={() => onDraw(size)}>
      {size === undefined ? t('night.draw.button') : t('bigScreen.shortlist', { size })}
    </Button>
  ))
}

type MovieChoicesProps = {
  night: NightScreen
  movie: ScreenMovie
  isHere: boolean
  isBusy: boolean
  onMove: (movie: ScreenMovie, status: MoveTarget) => void
}

/** The movie on the screen is accepted or put back. Once it is accepted, it can be played. */
function MovieChoices({ night, movie, isHere, isBusy, onMove }: MovieChoicesProps) {
  const { t } = useTranslation('watchlist')
  if (movie.status === 'WATCHED') {
    return (
      <NightServers
        key={movie.id}
        watchlistId={night.watchlistId}
        nightId={night.id}
        cardId={movie.id}
        title={movie.title}
        present={night.present.map(({ name }) => name)}
        canPlay={isHere}
      />
    )
  }
  if (movie.status !== 'REVEALED' || night.wasVetoed) return null
  return (
    <>
      <Button tone="primary" disabled={isBusy} onClick={() => onMove(movie, 'WATCHED')}>
        {t('bigScreen.accept')}
      </Button>
      <Button tone="quiet" disabled={isBusy} onClick={() => onMove(movie, 'SUGGESTED')}>
        {t('bigScreen.putBack')}
      </Button>
    </>
  )
}

function Waiting({ hasFailed }: { hasFailed: boolean }) {
  const { t } = useTranslation('watchlist')
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <NightTitle />
      {hasFailed ? <Banner tone="error">{t('night.loadFailed')}</Banner> : <Spinner label={t('night.loading')} />}
    </main>
  )
}

/** What a member can decide on the screen. */
function useChoices(night: Night, refetch: () => void) {
  const [filters] = useFilters(night)
  const drawing = useMutation({
    mutationFn: async (shortlist: number | undefined) => draw(night, { filter: filterOf(night, filters), shortlist }),
    onSettled: refetch,
  })
  const moving = useMutation({
    mutationFn: async ({ cardId, status }: { cardId: string; status: MoveTarget }) =>
      call(CARD_ENDPOINTS.moveCard, { params: { watchlistId: night.watchlistId, cardId }, body: { status } }),
    onSettled: refetch,
  })
  return { drawing, moving }
}

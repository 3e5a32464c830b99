import type { NightVoteState, TonightsCard } from '@marquee/contract/entities/vote'
import { MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import type { MoveTarget } from '@marquee/contract/rules/card-moves'
import { Ban } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'

import { whyFailed } from '#web/api/call-failure.tsx'
import { CardMoves } from '#web/features/movies/card/card-moves.tsx'
import { WaitingAt } from '#web/features/movies/waiting/lazy-waiting.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { useMoving } from '#web/offline/outbox/waiting.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { FilmView } from './film-view.tsx'
import { EndOfMovie } from './night-parts.tsx'
import type { useVetoCard } from './vote-queries.ts'

type DecideSectionProps = {
  state: NightVoteState
  /** How many people are at the night. */
  present: number
  isHere: boolean
  veto: Pick<ReturnType<typeof useVetoCard>, 'mutate' | 'reset' | 'error' | 'isPending'>
  vetoesLeft: string
  /** A decision is being sent. */
  isBusy?: boolean
  /** Accepts, puts back or declines a movie. Guests cannot. */
  onMove?: (film: TonightsCard, status: MoveTarget) => void
  where?: Where
}

/** Where the movie of a card can be watched. */
type Where = (cardId: string) => ReactNode

/** The movies drawn tonight that are not decided yet: members decide here, and those who are here can veto them, after a question. */
export function DecideSection(props: DecideSectionProps) {
  const { state, present, isHere, veto, vetoesLeft, isBusy = false, onMove, where } = props
  const { t } = useTranslation('watchlist')
  const [asked, setAsked] = useState<TonightsCard>()
  const [isAsking, setAsking] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const moving = useMoving()
  const { revealed, wasVetoed } = state
  return (
    <div ref={section} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none empty:hidden">
      {wasVetoed && <p className="font-semibold">{t('night.veto.used')}</p>}
      {revealed.map((card, place) => (
        <article key={card.cardId} aria-label={card.title} className="flex flex-col gap-3">
          <FilmView film={card} below={where?.(card.cardId)}>
            {!moving.has(card.cardId) && <p className="text-sm">{t('night.draw.undecided')}</p>}
          </FilmView>
          {onMove && <WaitingAt place={card.cardId} kind="move" />}
          {onMove && !moving.has(card.cardId) && (
            <CardMoves
              card={{ title: card.title, status: 'REVEALED' }}
              isQuiet={place > 0}
              isBusy={isBusy}
              onMove={(status) => {
                onMove(card, status)
                focusSoon(section)
              }}
            />
          )}
          {isHere && state.vetoesLeft > 0 && (
            <Button
              tone="quiet"
              className="self-start"
              icon={<Ban aria-hidden />}
              aria-label={t('night.veto.useFor', { title: card.title })}
              onClick={() => {
                setAsked(card)
                setAsking(true)
              }}
            >
              {t('night.veto.use')}
            </Button>
          )}
        </article>
      ))}
      {isHere && revealed.length > 0 && state.vetoesLeft === 0 && <p className="text-sm text-muted">{vetoesLeft}</p>}
      <VetoQuestion
        card={asked}
        isOpen={isAsking}
        isEasyToGuess={present < MIN_COUNTED_BALLOTS}
        veto={veto}
        vetoesLeft={vetoesLeft}
        onVetoed={() => {
          setAsking(false)
          focusSoon(section)
        }}
        onCancel={() => setAsking(false)}
      />
    </div>
  )
}

type VetoQuestionProps = Pick<DecideSectionProps, 'veto' | 'vetoesLeft'> & {
  card: TonightsCard | undefined
  isOpen: boolean
  isEasyToGuess: boolean
  onVetoed: () => void
  onCancel: () => void
}

function VetoQuestion({ card, isOpen, isEasyToGuess, veto, vetoesLeft, onVetoed, onCancel }: VetoQuestionProps) {
  const { t } = useTranslation('watchlist')
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={t('night.veto.sure', { title: card?.title })}
      description={[t('night.veto.sureWhy'), ...(isEasyToGuess ? [t('night.vote.fewPeople')] : []), vetoesLeft].join(
        ' ',
      )}
      confirmLabel={t('night.veto.use')}
      cancelLabel={t('night.veto.keep')}
      action={veto}
      failure={whyFailed(t('night.veto.failed'))}
      onConfirm={() => {
        if (card === undefined) return
        veto.mutate(card.cardId, {
          onSuccess: onVetoed,
        })
      }}
      onCancel={onCancel}
    />
  )
}

/** The movie that was accepted last, with what can be done with it. */
export function Accepted({ film, where, children }: { film: TonightsCard; where?: Where; children?: ReactNode }) {
  const { t } = useTranslation('watchlist')
  return (
    <article aria-label={film.title} className="flex flex-col gap-3">
      <FilmView film={film} label={t('bigScreen.accepted')} below={where?.(film.cardId)}>
        <p className="font-semibold">{t('night.enjoy')}</p>
        {film.film !== null && (
          <EndOfMovie acceptedAt={film.film.statusChangedAt} minutes={film.film.movie?.runtimeMinutes} />
        )}
      </FilmView>
      {children}
    </article>
  )
}

/** What was decided last: whether the result of the vote is still news, and the movie that is watched now. */
export function latestOutcome({ vote, revealed, accepted }: NightVoteState) {
  const timeOf = ({ film }: TonightsCard) => film?.statusChangedAt ?? ''
  const [newest] = [...revealed, ...accepted].toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
  const isOfVote =
    vote !== null &&
    vote.closedAt !== null &&
    (newest === undefined || newest.cardId === vote.winner || timeOf(newest) <= vote.closedAt)
  const isWatched =
    revealed.length === 0 && newest?.film?.status === 'WATCHED' && (!isOfVote || newest.cardId === vote.winner)
  return {
    result: isOfVote ? vote : undefined,
    watched: isWatched ? newest : undefined,
    /** There is no movie to decide or to watch. */
    isGathering: revealed.length === 0 && !isWatched,
  }
}

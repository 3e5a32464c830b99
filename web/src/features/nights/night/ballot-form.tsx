import { Ballot, type NightVote, type NightVoteState, type Score, SCORES } from '@marquee/contract/entities/vote'
import { MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import { Ban, ChevronLeft, ChevronRight, Heart, type LucideIcon, Send, ThumbsDown, ThumbsUp } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { readJson } from '#web/api/read-json.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { type Draft, NO_DRAFT } from '#web/session/drafts.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { FilmPoster, FilmView, type ShownFilm } from './film-view.tsx'
import { useSwipe } from './use-swipe.ts'
import type { BallotInput } from './vote-queries.ts'

const SCORE_ICON: Record<Score, LucideIcon> = { 2: Heart, 1: ThumbsUp, 0: ThumbsDown }
/** What a veto says of a movie that its voter has given no points. */
const VETOED: Score = 0
const FINE: Score = 1

type BallotFormProps = {
  state: NightVoteState
  vote: NightVote
  cast: { mutate: (ballot: BallotInput) => void; error: Error | null; isPending: boolean }
  vetoesLeft: string
  /** Keeps the choices until they are sent. */
  draft?: Draft
}

/** The place of the draft of a ballot. */
export function ballotDraftPlace(nightId: string, drawNumber: number): string {
  return `ballot.${nightId}.${drawNumber}`
}

/** The ballot: one movie after the other, then all choices at once. Nothing is chosen before the voter chooses it. */
export function BallotForm({ state, vote, cast, vetoesLeft, draft = NO_DRAFT }: BallotFormProps) {
  const { ballot, drawNumber } = vote
  const { films, place, film, isSent, veto, choiceOf, giveScore, toggleVeto, answerRest, heading, show } = useBallot(
    vote,
    draft,
  )

  if (film !== undefined) {
    const { cardId } = film
    const isBegun = films.some((one) => choiceOf(one.cardId) !== undefined)
    return (
      <FilmPage
        // The second tap of a double tap must not count for the next movie.
        key={cardId}
        film={film}
        place={place}
        count={films.length}
        score={choiceOf(cardId)}
        heading={heading}
        veto={
          state.vetoesLeft > 0 || (ballot?.veto ?? null) !== null ? { isUsed: veto === cardId, vetoesLeft } : undefined
        }
        onScore={(score) => giveScore(cardId, score)}
        onVeto={() => toggleVeto(cardId)}
        onRest={isBegun && choiceOf(cardId) === undefined ? answerRest : undefined}
        onPrevious={place === 0 ? undefined : () => show(films[place - 1])}
        onNext={() => show(films[place + 1])}
      />
    )
  }
  const chosen = films.map((one) => ({ film: one, score: choiceOf(one.cardId), isVetoed: veto === one.cardId }))
  const isComplete = chosen.every(({ score }) => score !== undefined)
  return (
    <Summary
      vote={vote}
      chosen={chosen}
      heading={heading}
      onShow={show}
      cast={cast}
      isSent={isSent}
      onSend={
        isComplete
          ? () =>
              cast.mutate({
                drawNumber,
                scores: Object.fromEntries(
                  chosen.flatMap(({ film: { cardId }, score }) => (score === undefined ? [] : [[cardId, score]])),
                ),
                veto: films.some(({ cardId }) => cardId === veto) ? veto : null,
              })
          : undefined
      }
    />
  )
}

/** The choices of the voter, kept as a draft until they are sent, and the movie that is shown; none while all choices are. */
function useBallot({ ballot, cards }: NightVote, draft: Draft) {
  const [begun] = useState(() => readJson(Ballot, draft.read()))
  const [{ scores, veto }, setChoices] = useState<Ballot>(begun ?? ballot ?? { scores: {}, veto: null })
  // A card that was deleted or put back has no title.
  const films = cards.flatMap(({ cardId, title, film }) => (title === null ? [] : [{ cardId, title, film }]))
  const choiceOf = (cardId: string, vetoed: string | null): Score | undefined =>
    scores[cardId] ?? (vetoed === cardId ? VETOED : undefined)
  const { shownId, heading, show } = useShownFilm(() =>
    begun === undefined && ballot !== null
      ? undefined
      : films.find(({ cardId }) => choiceOf(cardId, veto) === undefined)?.cardId,
  )
  const place = films.findIndex(({ cardId }) => cardId === shownId)
  const film = films[place]
  const isSent =
    ballot !== null &&
    veto === ballot.veto &&
    films.every(({ cardId }) => choiceOf(cardId, veto) === ballot.scores[cardId])
  useEffect(() => {
    if (isSent) draft.clear()
  }, [isSent, draft])
  const choose = (changed: Partial<Ballot>) => {
    const next = { scores, veto, ...changed }
    setChoices(next)
    draft.save(JSON.stringify(next))
  }
  const showNextOpen = (answered: string, vetoed: string | null) => {
    const isOpen = ({ cardId }: ShownFilm) => cardId !== answered && choiceOf(cardId, vetoed) === undefined
    show(films.slice(place).find(isOpen) ?? films.find(isOpen))
  }
  return {
    films,
    place,
    film,
    isSent,
    veto,
    choiceOf: (cardId: string) => choiceOf(cardId, veto),
    giveScore: (cardId: string, score: Score) => {
      choose({ scores: { ...scores, [cardId]: score } })
      showNextOpen(cardId, veto)
    },
    toggleVeto: (cardId: string) => {
      const next = veto === cardId ? null : cardId
      choose({ veto: next })
      if (next !== null) showNextOpen(cardId, next)
    },
    /** Gives the same answer to all movies that have none. */
    answerRest: () => {
      const open = films.filter(({ cardId }) => choiceOf(cardId, veto) === undefined)
      choose({ scores: { ...scores, ...Object.fromEntries(open.map(({ cardId }) => [cardId, FINE])) } })
      show(undefined)
    },
    heading,
    show,
  }
}

/** The movie that is shown. The focus goes along to the heading of its page. */
function useShownFilm(firstId: () => string | undefined) {
  const [shownId, setShownId] = useState(firstId)
  const heading = useRef<HTMLHeadingElement>(null)
  const isTurning = useRef(false)
  // The focus is there before the next key, which may follow at once.
  useLayoutEffect(() => {
    if (isTurning.current) heading.current?.focus()
    isTurning.current = false
  }, [shownId])
  const show = (next: ShownFilm | undefined) => {
    isTurning.current = true
    setShownId(next?.cardId)
  }
  return { shownId, heading, show }
}

type FilmPageProps = {
  film: ShownFilm
  place: number
  count: number
  score: Score | undefined
  heading: RefObject<HTMLHeadingElement | null>
  /** Undefined if the voter has no veto. */
  veto: { isUsed: boolean; vetoesLeft: string } | undefined
  onScore: (score: Score) => void
  onVeto: () => void
  /** Finds all movies without an answer fine. Undefined before the first answer. */
  onRest: (() => void) | undefined
  onPrevious: (() => void) | undefined
  onNext: () => void
}

function FilmPage({ film, place, count, score, heading, veto, onScore, onVeto, onRest, ...pages }: FilmPageProps) {
  const { onPrevious, onNext } = pages
  const { t } = useTranslation('watchlist')
  const swipe = useSwipe({ onNext, onPrevious: () => onPrevious?.() })
  return (
    <div className="flex flex-col gap-4">
      <div {...swipe} className="touch-pan-y">
        <FilmView film={film} titleRef={heading} />
      </div>
      <fieldset>
        <legend className="sr-only">{film.title}</legend>
        <div className="grid grid-cols-3 gap-2 *:animate-settle">
          {SCORES.map((value) => (
            <ScoreButton
              key={value}
              score={value}
              isChosen={value === score && veto?.isUsed !== true}
              onChoose={onScore}
            />
          ))}
        </div>
      </fieldset>
      {veto && (
        <div className="flex flex-col items-stretch gap-1 *:animate-settle">
          <Button
            tone={veto.isUsed ? 'danger' : 'quiet'}
            icon={<Ban aria-hidden />}
            aria-pressed={veto.isUsed}
            aria-label={t('night.veto.useFor', { title: film.title })}
            onClick={onVeto}
          >
            {t('night.veto.use')}
          </Button>
          <p className="text-center text-sm text-muted">{veto.vetoesLeft}</p>
        </div>
      )}
      {onRest && (
        <Button tone="quiet" className="*:animate-settle" icon={<ThumbsUp aria-hidden />} onClick={onRest}>
          {t('night.vote.rest', { score: t(`night.vote.score.${FINE}`) })}
        </Button>
      )}
      <nav aria-label={t('night.vote.pages')} className="flex items-center justify-between gap-3">
        <Button
          tone="quiet"
          aria-label={t('night.vote.previous')}
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          <ChevronLeft aria-hidden className="size-5 rtl:-scale-x-100" />
        </Button>
        <p className="text-sm text-muted">{t('night.vote.place', { place: place + 1, count })}</p>
        <Button tone="quiet" aria-label={t('night.vote.next')} onClick={onNext}>
          <ChevronRight aria-hidden className="size-5 rtl:-scale-x-100" />
        </Button>
      </nav>
    </div>
  )
}

type ScoreButtonProps = { score: Score; isChosen: boolean; onChoose: (score: Score) => void }

function ScoreButton({ score, isChosen, onChoose }: ScoreButtonProps) {
  const { t } = useTranslation('watchlist')
  const Icon = SCORE_ICON[score]
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => onChoose(score)}
      className={classes(
        'flex min-h-18 flex-col items-center justify-center gap-1 rounded-control border px-1 py-2 text-center text-sm font-semibold wrap-anywhere hover:bg-raised',
        isChosen ? 'border-accent bg-raised' : 'border-control-edge',
      )}
    >
      <Icon aria-hidden className={classes('size-6 shrink-0', isChosen ? 'text-accent' : 'text-muted')} />
      {t(`night.vote.score.${score}`)}
    </button>
  )
}

type SummaryProps = {
  vote: NightVote
  chosen: { film: ShownFilm; score: Score | undefined; isVetoed: boolean }[]
  heading: RefObject<HTMLHeadingElement | null>
  onShow: (film: ShownFilm) => void
  cast: BallotFormProps['cast']
  /** The server has exactly this ballot. */
  isSent: boolean
  /** Undefined while a movie has no answer. */
  onSend: (() => void) | undefined
}

/** All choices, with a way back to each movie, and the button that sends them. */
function Summary({ vote, chosen, heading, onShow, cast, isSent, onSend }: SummaryProps) {
  const { t } = useTranslation('watchlist')
  return (
    <div className="flex flex-col gap-4">
      <h3 ref={heading} tabIndex={-1} className="font-display text-lg font-semibold focus:outline-none">
        {t('night.vote.yours')}
      </h3>
      <ul className="flex flex-col gap-2 *:animate-settle">
        {chosen.map(({ film, score, isVetoed }) => (
          <li key={film.cardId}>
            <button
              type="button"
              onClick={() => onShow(film)}
              className="flex min-h-11 w-full items-center gap-3 rounded-control border border-line p-2 text-start wrap-anywhere hover:bg-raised"
            >
              <FilmPoster film={film} className="w-10 shrink-0 p-0.5! text-[0.4rem]!" />
              <span className="flex flex-1 flex-wrap justify-between gap-x-3">
                <span className="font-semibold">
                  <bdi>{film.title}</bdi>
                </span>{' '}
                <span className={classes('text-sm', isVetoed ? 'text-danger' : 'text-muted')}>
                  {isVetoed
                    ? t('night.vote.vetoed')
                    : t(score === undefined ? 'night.vote.noAnswer' : `night.vote.score.${score}`)}
                </span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <CallFailureBanner what={t('night.vote.failed')} error={cast.error} />
      <output className="font-semibold">{isSent && t('night.vote.sent')}</output>
      {!isSent && (
        <>
          {onSend === undefined && <p className="text-sm text-muted">{t('night.vote.incomplete')}</p>}
          <Button
            tone="primary"
            size="large"
            className="*:animate-settle"
            icon={<Send aria-hidden className="rtl:-scale-x-100" />}
            busy={cast.isPending}
            disabled={onSend === undefined}
            onClick={onSend}
          >
            {t(vote.ballot === null ? 'night.vote.send' : 'night.vote.change')}
          </Button>
        </>
      )}
      <p className="text-sm text-muted">{t('night.vote.secret')}</p>
      {vote.present < MIN_COUNTED_BALLOTS && <p className="text-sm text-muted">{t('night.vote.onlyWinner')}</p>}
    </div>
  )
}

import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { linkIn } from '@marquee/contract/rules/link'
import { CircleCheck, Heart, Plus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { KEPT } from '#web/api/kept.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { CardFailure } from '../card-failure.tsx'
import { AlreadyHere, useAlreadyHere } from './already-here.tsx'
import { partOf } from './catalogue.ts'
import { MoviePreview } from './movie-preview.tsx'
import { MovieSearch } from './movie-search.tsx'
import type { FoundMovie } from './movie-values.ts'
import { useDetails } from './use-details.ts'
import { type Candidate, useMovieSearch } from './use-movie-search.ts'
import { type Busy, type Done, useSaving } from './use-saving.ts'

/** What the long form opens with. `isPart`: some of it could not be read, or is missing. */
export type Opening = { found: FoundMovie; isPart: boolean }

type QuickAddProps = {
  watchlistId: string
  /** What to search for from the start. */
  begin: string
  takesFocus: boolean
  /** Offers to show the movie to all at once. */
  offersShow: boolean
  onType: (text: string) => void
  /** The movie is on top of the feed, so the form closes. */
  onShown: (card: Card) => void
  onDetails: (opening: Opening) => void
  onBusy: (isBusy: boolean) => void
  /** The user goes to a card. */
  onLeave: () => void
}

/**
 * Adds movies one after the other: the first movie found is shown as it will look, and one press adds it. Then the field is
 * empty again.
 */
export function QuickAdd(props: QuickAddProps) {
  const { watchlistId, takesFocus, offersShow, onDetails, onLeave } = props
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const { search, choice, movie, here, saving, field, ...actions } = useQuickAdd(props)
  const { text, candidates, isSettled, status } = search
  const { isOpen, active, chosen } = choice
  const { found } = movie
  const isBusy = saving.busy !== undefined
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isOpen) form.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault()
        actions.press()
      }}
      className="flex min-h-0 flex-1 flex-col gap-3"
    >
      <h3 id={headingId} className="text-xl">
        {t('form.heading')}
      </h3>
      <MovieSearch
        ref={field}
        text={text}
        status={status}
        candidates={candidates}
        active={active}
        isOpen={isOpen}
        isSettled={isSettled}
        isBusy={isBusy}
        takesFocus={takesFocus}
        onType={actions.type}
        onPoint={choice.point}
        onTake={(index) => {
          if (isBusy) return
          choice.point(index)
          if (index === candidates.length) actions.addByHand()
        }}
        onEnter={actions.press}
        onFold={choice.fold}
        onUnfold={choice.unfold}
      >
        {chosen !== undefined && (
          <MoviePreview candidate={chosen} found={found} isReading={movie.isReading}>
            <AlreadyHere watchlistId={watchlistId} place={here} onLeave={onLeave} />
            <Buttons
              busy={saving.busy}
              isWanted={here.isOnlyInBox && found !== undefined}
              offersShow={offersShow}
              onAnyway={() => actions.add(chosen, { isAnyway: true })}
              onShow={() => actions.add(chosen, { isShown: true })}
              onDetails={found && (() => onDetails({ found, isPart: false }))}
            />
          </MoviePreview>
        )}
      </MovieSearch>
      {saving.failure !== undefined && <CardFailure {...saving.failure} />}
      {text.trim() === '' && (
        <Button tone="quiet" size="small" className="self-start" disabled={isBusy} onClick={actions.addByHand}>
          {t('quick.byHand')}
        </Button>
      )}
      <DoneLine done={saving.done} busy={saving.busy} onUndo={(card) => void actions.undo(card)} />
    </form>
  )
}

/** Searches, chooses, and adds or wants the chosen movie. */
function useQuickAdd({ watchlistId, begin, onType, onShown, onDetails, onBusy }: QuickAddProps) {
  const { t } = useTranslation('moviecard')
  const field = useRef<HTMLInputElement>(null)
  const search = useMovieSearch(begin, onType)
  const choice = useChoice(search)
  const { active, chosen } = choice
  const movie = useDetails(chosen)
  const { found } = movie
  const here = useAlreadyHere(watchlistId, found)
  const saving = useSaving(watchlistId, onBusy)

  const type = (typed: string) => {
    search.type(typed)
    choice.restart()
  }
  const proceed = (done: Done | undefined) => {
    saving.setDone(done)
    // The user may have left. What was typed is then only kept, and is not to open the form again.
    if (field.current === null || field.current.value === search.text) type('')
    focusSoon(field)
  }
  const addByHand = () => onDetails({ found: movieByHand(search.text), isPart: false })
  const addCandidate = async (candidate: Candidate, { isShown = false, isAnyway = false }: How) => {
    const details = await movie.read(candidate)
    // Each card has an image.
    if (details === undefined || details.posterUrl === null) {
      const part = candidate.result === undefined ? candidate.found : partOf(candidate.result)
      onDetails({ found: details ?? part, isPart: true })
      return
    }
    if (!isAnyway && (await saving.isOnlyInBox(details))) return
    const card = await saving.add(details, isShown)
    if (card === undefined) return
    // It shows above the feed until it is sent.
    if (card === KEPT) return proceed(undefined)
    if (isInTheBox(card.status)) proceed({ text: t('added.toBox', { title: card.title }), card })
    else onShown(card)
  }
  const add = (candidate: Candidate, how: How = {}) =>
    void saving.run(how.isShown === true ? 'feed' : 'box', addCandidate(candidate, how))
  const want = async ({ title, movie: facts }: FoundMovie) => {
    if (facts === null) return
    if (await saving.want({ title, movie: facts })) proceed({ text: t('match.wanted', { title }) })
    // The card may have been drawn meanwhile.
    else void here.refetch()
  }
  const undo = async (card: Card) => {
    // The button is gone.
    if (await saving.undo(card)) focusSoon(field)
  }
  const press = () => {
    if (saving.busy !== undefined) return
    if (active === undefined) {
      choice.unfold()
      search.askNow()
    } else if (chosen === undefined) addByHand()
    else if (here.isOnlyInBox && found !== undefined) void saving.run('want', want(found))
    else add(chosen)
  }
  return { search, choice, movie, here, saving, field, type, addByHand, add, undo, press }
}

type How = { isShown?: boolean; isAnyway?: boolean }

function movieByHand(text: string): FoundMovie {
  const typed = text.trim()
  const isLink = linkIn(typed) !== undefined
  return { title: isLink ? '' : typed, description: isLink ? typed : null, posterUrl: null, movie: null }
}

/** Which of the movies found is chosen, and whether their list is open. */
function useChoice({ text, candidates, isSettled }: ReturnType<typeof useMovieSearch>) {
  const [place, point] = useState(0)
  const [isFolded, setFolded] = useState(false)
  const isOpen = !isFolded && text.trim() !== '' && (isSettled || candidates.length > 0)
  const active = isOpen && isSettled ? Math.min(place, candidates.length) : undefined
  return {
    isOpen,
    active,
    chosen: active === undefined ? undefined : candidates[active],
    point,
    fold: () => setFolded(true),
    unfold: () => setFolded(false),
    restart: () => {
      point(0)
      setFolded(false)
    },
  }
}

type ButtonsProps = {
  busy: Busy | undefined
  /** The movie is in the box: to want it is the main thing, which Enter does. */
  isWanted: boolean
  offersShow: boolean
  onAnyway: () => void
  onShow: () => void
  /** Undefined until the details are read. */
  onDetails: (() => void) | undefined
}

/** What can be done with the chosen movie. The main button sends the form. */
function Buttons({ busy, isWanted, offersShow, onAnyway, onShow, onDetails }: ButtonsProps) {
  const { t } = useTranslation('moviecard')
  const Icon = isWanted ? Heart : Plus
  const isBusy = busy !== undefined
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        tone="primary"
        type="submit"
        icon={<Icon aria-hidden />}
        busy={busy === (isWanted ? 'want' : 'box')}
        disabled={isBusy}
        className="flex-1 whitespace-nowrap"
      >
        {isWanted ? t('match.want') : t('quick.toBox')}
      </Button>
      {isWanted && (
        <Button tone="quiet" busy={busy === 'box'} disabled={isBusy} onClick={onAnyway}>
          {t('quick.anyway')}
        </Button>
      )}
      {!isWanted && offersShow && (
        <Button tone="quiet" busy={busy === 'feed'} disabled={isBusy} onClick={onShow}>
          {t('quick.toFeed')}
        </Button>
      )}
      <Button
        tone="quiet"
        className="border-transparent text-muted"
        disabled={isBusy || onDetails === undefined}
        onClick={onDetails}
      >
        {t('quick.change')}
      </Button>
    </div>
  )
}

type DoneLineProps = { done: Done | undefined; busy: Busy | undefined; onUndo: (card: Card) => void }

/** What was added last, and a button to take it out of the box again. */
function DoneLine({ done, busy, onUndo }: DoneLineProps) {
  const { t } = useTranslation('moviecard')
  const card = done?.card
  return (
    <div className="flex flex-wrap items-center gap-x-3 has-[>:only-child:empty]:hidden">
      <output className="flex items-start gap-1.5 text-sm empty:hidden">
        {done !== undefined && (
          <>
            <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />
            {done.text}
          </>
        )}
      </output>
      {card !== undefined && (
        <Button
          tone="quiet"
          size="small"
          busy={busy === 'undo'}
          disabled={busy !== undefined}
          onClick={() => onUndo(card)}
        >
          {t('undo.button')}
        </Button>
      )}
    </div>
  )
}

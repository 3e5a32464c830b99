import type { Card } from '@marquee/contract/entities/card'
import type { Movie } from '@marquee/contract/entities/movie'
import { linkIn } from '@marquee/contract/rules/link'
import { useQueryClient } from '@tanstack/react-query'
import { Heart } from 'lucide-react'
import { useState } from 'react'

import { KEPT } from '#web/api/kept.ts'
import { creationKey } from '#web/api/own-changes.ts'
import { features } from '#web/config.ts'
import { type Draft, useDraft } from '#web/session/drafts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { announce } from '#web/ui/live-region.tsx'

import { CardFailure } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useAddCard, useEditCard, type Watch } from '../mutations.ts'
import { useWantMovie } from '../wants.ts'
import { AddFrame } from './add-frame.tsx'
import { AlreadyHere, useAlreadyHere } from './already-here.tsx'
import { factsValues } from './facts-values.ts'
import { cardDraftPlace, movieDraftPlace, searchDraftPlace } from './draft-places.ts'
import { type DraftBase, readDraftBase, readMovieDraft, writeMovieDraft } from './movie-draft.ts'
import { MovieForm } from './movie-form.tsx'
import {
  addMovieBody,
  EMPTY_MOVIE,
  editMovieBody,
  filledIn,
  type ImageSource,
  type MovieValues,
  textsIn,
} from './movie-values.ts'
import { type Opening, QuickAdd } from './quick-add.tsx'

/** What the form begins with. */
function withDraft(values: MovieValues, draft: Draft): MovieValues {
  const kept = readMovieDraft(draft)
  const begun = { ...values, ...kept }
  return { ...begun, facts: kept.facts ?? factsValues(begun.movie) }
}

/** The drafts of a new movie. While a movie is being sent, what is kept is that one, and would be added again. */
function useAddDrafts(watchlistId: string): Record<'draft' | 'searchDraft', Draft> {
  const client = useQueryClient()
  const draft = useDraft(movieDraftPlace(watchlistId))
  const searchDraft = useDraft(searchDraftPlace(watchlistId))
  const isAdding = () =>
    client.getMutationCache().find({
      mutationKey: creationKey(watchlistId),
      status: 'pending',
      // Changes of cards have drafts of their own.
      predicate: ({ state }) => !('cardId' in (state.variables as object)),
    }) !== undefined
  const unsent = (of: Draft): Draft => ({ ...of, read: () => (isAdding() ? undefined : of.read()) })
  return { draft: unsent(draft), searchDraft: unsent(searchDraft) }
}

const ADD_SOURCES = ['url', 'file'] as const

type AddMovieFormProps = {
  watchlistId: string
  takesFocus?: boolean
  /** The search offers to show a movie to all at once. */
  offersShow?: boolean
  /** What another app shared. */
  shared?: string | undefined
  /** Called with a card that the long form added, or that is shown at once. The caller closes the form. */
  onAdded: (card: Card) => void
  /** Something is being sent, or no longer. */
  onBusy?: (isBusy: boolean) => void
  onClose: () => void
}

/**
 * Adds movies: by a search, or with the long form for one that no catalogue has. Drafts survive a reload and all ways to leave
 * but Cancel. A chosen file does not.
 */
export function AddMovieForm(props: AddMovieFormProps) {
  const { watchlistId, takesFocus = true, offersShow = false, shared = '', onAdded, onClose } = props
  const { draft, searchDraft } = useAddDrafts(watchlistId)
  const [typed, setTyped] = useState(() => (shared === '' ? (searchDraft.read() ?? '') : shared))
  const { step, opening, toForm, toSearch } = useSteps(shared !== '' || draft.read() === undefined)
  const [isBusy, setBusy] = useState(false)
  const report = (next: boolean) => {
    setBusy(next)
    props.onBusy?.(next)
  }
  const discard = () => {
    draft.clear()
    searchDraft.clear()
    onClose()
  }
  const backToSearch = () => {
    draft.clear()
    toSearch()
  }
  return (
    <AddFrame isBusy={isBusy} onClose={onClose}>
      {step === 'form' ? (
        <LongForm
          watchlistId={watchlistId}
          opening={opening}
          shared={shared}
          takesFocus={takesFocus || opening !== undefined}
          isBusy={isBusy}
          onBusy={report}
          onAdded={onAdded}
          onWanted={discard}
          onLeave={onClose}
          onCancel={opening === undefined ? discard : backToSearch}
        />
      ) : (
        <QuickAdd
          watchlistId={watchlistId}
          begin={typed}
          takesFocus={takesFocus || step === 'again'}
          offersShow={offersShow}
          onType={(text) => {
            setTyped(text)
            searchDraft.save(text)
          }}
          onShown={(card) => {
            searchDraft.clear()
            onAdded(card)
          }}
          onDetails={toForm}
          onBusy={report}
          onLeave={onClose}
        />
      )}
    </AddFrame>
  )
}

/** The search, or the long form with what it opens with. Without a catalogue there is no search. */
function useSteps(beginsWithSearch: boolean) {
  const [step, setStep] = useState<'search' | 'again' | 'form'>(() =>
    features().catalogue && beginsWithSearch ? 'search' : 'form',
  )
  const [opening, setOpening] = useState<Opening>()
  return {
    step,
    opening,
    toForm: (next: Opening) => {
      setOpening(next)
      setStep('form')
    },
    toSearch: () => {
      setOpening(undefined)
      setStep('again')
    },
  }
}

type LongFormProps = Pick<AddMovieFormProps, 'watchlistId' | 'shared' | 'onAdded'> & {
  opening: Opening | undefined
  takesFocus: boolean
  isBusy: boolean
  onBusy: (isBusy: boolean) => void
  /** There is nothing to show in the feed. */
  onWanted: () => void
  /** The user goes to a card. */
  onLeave: () => void
  onCancel: () => void
}

/** Everything that a card has. */
function LongForm(props: LongFormProps) {
  const { watchlistId, opening, shared = '', takesFocus, isBusy, onLeave, onCancel } = props
  const { t } = useTranslation('moviecard')
  const { draft } = useAddDrafts(watchlistId)
  const { here, want, wantMovie, addMovie } = useAddOrWant(props)
  const { title = '', movie = null } = opening?.found ?? {}
  const isWanted = here.isOnlyInBox && movie !== null
  const [defaults] = useState(() =>
    opening === undefined ? withDraft(withText(shared), draft) : filledIn(opening.found),
  )
  return (
    <MovieForm
      heading={t('form.heading')}
      submitLabel={isWanted ? t('quick.anyway') : t('form.submit')}
      isQuiet={isWanted}
      isInFrame
      isBusy={isBusy}
      action="add"
      defaults={defaults}
      sources={ADD_SOURCES}
      offersReveal
      takesFocus={takesFocus}
      note={
        <>
          {opening?.isPart === true && <p className="text-sm text-muted">{t('search.filledInPart', { title })}</p>}
          <AlreadyHere watchlistId={watchlistId} place={here} onLeave={onLeave} />
          {want.isError && <CardFailure action="want" error={want.error} />}
        </>
      }
      before={
        isWanted && (
          <Button
            tone="primary"
            icon={<Heart aria-hidden />}
            busy={want.isPending}
            disabled={isBusy}
            onClick={() => void wantMovie(title, movie)}
          >
            {t('match.want')}
          </Button>
        )
      }
      onChange={(values) => writeMovieDraft(draft, values)}
      onSend={addMovie}
      onCancel={onCancel}
    />
  )
}

/** Adds what the long form has, or wants the movie that it opened with if that is in the box. */
function useAddOrWant({ watchlistId, opening, onBusy, onAdded, onWanted }: LongFormProps) {
  const { t } = useTranslation('moviecard')
  const { draft, searchDraft } = useAddDrafts(watchlistId)
  const { mutateAsync: add } = useAddCard(watchlistId)
  const want = useWantMovie(watchlistId)
  const here = useAlreadyHere(watchlistId, opening?.found)
  const sending = async (work: Promise<void>) => {
    onBusy(true)
    try {
      await work
    } finally {
      onBusy(false)
    }
  }
  const wantShown = async (title: string, movie: Movie) => {
    try {
      await want.mutateAsync({ title, movie })
    } catch {
      // The card may have been drawn meanwhile.
      void here.refetch()
      return
    }
    announce(t('match.wanted', { title }))
    onWanted()
  }
  const addShown = async (values: MovieValues, watch: Watch) => {
    const card = await add({ body: addMovieBody(values), ...watch })
    // It shows above the feed until it is sent.
    if (card === KEPT) return onWanted()
    draft.clear()
    searchDraft.clear()
    return onAdded(card)
  }
  return {
    here,
    want,
    wantMovie: async (title: string, movie: Movie) => sending(wantShown(title, movie)),
    addMovie: async (values: MovieValues, watch: Watch) => sending(addShown(values, watch)),
  }
}

/** What another app shared, where there is no search to take it: a link goes into the description. */
function withText(text: string): MovieValues {
  return linkIn(text) === undefined ? { ...EMPTY_MOVIE, title: text } : { ...EMPTY_MOVIE, description: text }
}

function valuesOf(card: Card): MovieValues {
  return { ...EMPTY_MOVIE, ...textsIn(card), movie: card.movie ?? null }
}

/** The texts that the user left alone, as others have changed them meanwhile. */
function othersTexts(values: DraftBase, opened: DraftBase, card: Card): Partial<DraftBase> {
  const now = textsIn(card)
  const names = Object.keys(now) as (keyof typeof now)[]
  const untouched = names.filter((name) => values[name] === opened[name])
  return Object.fromEntries(untouched.map((name) => [name, now[name]]))
}

/** The facts as they are typed, to compare them: "2h" is no number, and is lost in a movie. */
function factsText({ movie, facts }: Pick<MovieValues, 'movie' | 'facts'>): string {
  return JSON.stringify(movie && [movie, facts])
}

/** What the form has, and what it had before the user changed it. What a draft left alone is as others have changed it. */
function beginEdit(card: Card, imageSource: ImageSource, draft: Draft): Record<'opened' | 'defaults', MovieValues> {
  const now = { ...valuesOf(card), imageSource }
  const base = readDraftBase(draft)
  const begun = withDraft({ ...now, ...base }, draft)
  if (base === undefined) return { opened: now, defaults: begun }
  const hasOldMovie = factsText(begun) === factsText({ movie: base.movie, facts: factsValues(base.movie) })
  const others = {
    ...othersTexts(begun, base, card),
    ...(hasOldMovie ? { movie: now.movie, facts: factsValues(now.movie) } : {}),
  }
  return { opened: { ...now, ...base, ...others }, defaults: { ...begun, ...others } }
}

const EDIT_SOURCES = ['keep', 'url', 'file'] as const

type EditCardFormProps = {
  card: Card
  /** The image source when the form opens. */
  imageSource?: ImageSource
  onClose: () => void
}

/** Edits a card. Its poster stays unless another one is given. The draft survives a reload. */
export function EditCardForm({ card, imageSource = 'keep', onClose }: EditCardFormProps) {
  const { t } = useTranslation('moviecard')
  const draft = useDraft(cardDraftPlace(card.id))
  const [wasBegunEarlier] = useState(() => draft.read() !== undefined)
  const [{ opened, defaults }] = useState(() => beginEdit(card, imageSource, draft))
  const { mutateAsync: edit } = useEditCard(card.watchlistId)
  return (
    <MovieForm
      heading={t('editCard.heading')}
      submitLabel={t('editCard.save')}
      action="edit"
      defaults={defaults}
      sources={EDIT_SOURCES}
      offersReveal={false}
      takesFocus={!wasBegunEarlier}
      onChange={(values) => writeMovieDraft(draft, values, opened)}
      onSend={async (values, watch) => {
        const edited = await edit({
          cardId: card.id,
          body: editMovieBody({ ...values, ...othersTexts(values, opened, card) }, opened.movie),
          ...watch,
        })
        draft.clear()
        announce(t('editCard.saved', { title: edited.title }))
        onClose()
      }}
      onCancel={() => {
        draft.clear()
        onClose()
      }}
    />
  )
}

import type { Card } from '@marquee/contract/entities/card'
import { isInTheBox } from '@marquee/contract/rules/card-moves'
import { linkIn } from '@marquee/contract/rules/link'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleCheck, Heart, Plus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus.ts'

import { type CardAction, CardFailure } from '../card-failure.tsx'
import { useAddCard, useDeleteCard } from '../mutations.ts'
import { useWantMovie } from '../wants.ts'
import { AlreadyHere, useAlreadyHere } from './already-here.tsx'
import { forgetMatches, movieDetails, movieMatch, partOf } from './catalogue.ts'
import { MoviePreview } from './movie-preview.tsx'
import { MovieSearch } from './movie-search.tsx'
import { addMovieBody, filledIn, type FoundMovie } from './movie-values.ts'
import { type Candidate, useMovieSearch } from './use-movie-search.ts'

/** The details of a movie that the user only passes on the way to another are not read. */
const READ_AFTER_MS = 150

/** What the preview has just asked need not be asked again. */
const MATCH_LASTS_MS = 10_000

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
  onClose: () => void
}

type Done = { text: string; card?: Card | undefined }

/**
 * Adds movies one after the other: the first movie found is shown as it will look, and one press adds it. Then the field is
 * empty again.
 */
export function QuickAdd(props: QuickAddProps) {
  const { watchlistId, begin, takesFocus, offersShow, onType, onShown, onDetails, onClose } = props
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const field = useRef<HTMLInputElement>(null)
  const search = useMovieSearch(begin, onType)
  const { text, candidates, isSettled, status } = search
  const [place, setPlace] = useState(0)
  const [isFolded, setFolded] = useState(false)
  const isOpen = !isFolded && text.trim() !== '' && (isSettled || candidates.length > 0)
  const active = isOpen && isSettled ? Math.min(place, candidates.length) : undefined
  const chosen = active === undefined ? undefined : candidates[active]
  const movie = useDetails(chosen)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (isOpen) form.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const { found } = movie
  const here = useAlreadyHere(watchlistId, found)
  const saving = useSaving(watchlistId)

  const proceed = (done: Done) => {
    saving.setDone(done)
    if (field.current?.value === text) type('')
    focusSoon(field)
  }
  const type = (typed: string) => {
    search.type(typed)
    setPlace(0)
    setFolded(false)
  }
  const addByHand = () => {
    const typed = text.trim()
    const isLink = linkIn(typed) !== undefined
    const description = isLink ? typed : null
    onDetails({ found: { title: isLink ? '' : typed, description, posterUrl: null, movie: null }, isPart: false })
  }
  const add = async (candidate: Candidate, how: { isShown?: boolean; isAnyway?: boolean } = {}) => {
    const details = await movie.read(candidate)
    // Each card has an image.
    if (details === undefined || details.posterUrl === null) {
      const part = candidate.result === undefined ? candidate.found : partOf(candidate.result)
      onDetails({ found: details ?? part, isPart: true })
      return
    }
    if (how.isAnyway !== true && (await saving.isOnlyInBox(details))) return
    const card = await saving.add(details, how.isShown === true)
    if (card === undefined) return
    if (isInTheBox(card.status)) proceed({ text: t('added.toBox', { title: card.title }), card })
    else onShown(card)
  }
  const want = async ({ title, movie: facts }: FoundMovie) => {
    if (facts === null) return
    if (await saving.want({ title, movie: facts })) proceed({ text: t('match.wanted', { title }) })
    // The card may have been drawn meanwhile.
    else void here.refetch()
  }
  const press = () => {
    if (saving.busy !== undefined) return
    if (active === undefined) {
      setFolded(false)
      search.askNow()
    } else if (chosen === undefined) addByHand()
    else if (here.isOnlyInBox && found !== undefined) void saving.run('want', want(found))
    else void saving.run('box', add(chosen))
  }

  return (
    <form
      ref={form}
      noValidate
      aria-labelledby={headingId}
      onSubmit={(event) => {
        event.preventDefault()
        press()
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
        isBusy={saving.busy !== undefined}
        takesFocus={takesFocus}
        onType={type}
        onPoint={setPlace}
        onTake={(index) => {
          setPlace(index)
          if (index === candidates.length) addByHand()
        }}
        onEnter={press}
        onFold={() => setFolded(true)}
        onUnfold={() => setFolded(false)}
      >
        {chosen !== undefined && (
          <MoviePreview candidate={chosen} found={found} isReading={movie.isReading}>
            <AlreadyHere watchlistId={watchlistId} place={here} onLeave={onClose} />
            <Buttons
              busy={saving.busy}
              isWanted={here.isOnlyInBox && found !== undefined}
              offersShow={offersShow}
              onAnyway={() => void saving.run('box', add(chosen, { isAnyway: true }))}
              onShow={() => void saving.run('feed', add(chosen, { isShown: true }))}
              onDetails={found && (() => onDetails({ found, isPart: false }))}
            />
          </MoviePreview>
        )}
      </MovieSearch>
      {saving.failure !== undefined && <CardFailure {...saving.failure} />}
      {text.trim() === '' && (
        <Button tone="quiet" size="small" className="self-start" onClick={addByHand}>
          {t('quick.byHand')}
        </Button>
      )}
      <DoneLine done={saving.done} isBusy={saving.busy === 'undo'} onUndo={(card) => void saving.undo(card)} />
    </form>
  )
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
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        tone="primary"
        type="submit"
        icon={<Icon aria-hidden />}
        busy={busy === (isWanted ? 'want' : 'box')}
        className="flex-1 whitespace-nowrap"
      >
        {isWanted ? t('match.want') : t('quick.toBox')}
      </Button>
      {isWanted && (
        <Button tone="quiet" busy={busy === 'box'} onClick={onAnyway}>
          {t('quick.anyway')}
        </Button>
      )}
      {!isWanted && offersShow && (
        <Button tone="quiet" busy={busy === 'feed'} onClick={onShow}>
          {t('quick.toFeed')}
        </Button>
      )}
      <Button
        tone="quiet"
        className="border-transparent text-muted"
        disabled={onDetails === undefined}
        onClick={onDetails}
      >
        {t('quick.change')}
      </Button>
    </div>
  )
}

/** What was added last, and a button to take it out of the box again. */
function DoneLine({ done, isBusy, onUndo }: { done: Done | undefined; isBusy: boolean; onUndo: (card: Card) => void }) {
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
        <Button tone="quiet" size="small" busy={isBusy} onClick={() => onUndo(card)}>
          {t('undo.button')}
        </Button>
      )}
    </div>
  )
}

/** Reads all about the chosen movie, once the choice rests for a moment. */
function useDetails(chosen: Candidate | undefined) {
  const client = useQueryClient()
  const [restingId, setRestingId] = useState<string>()
  const id = chosen?.id
  useEffect(() => {
    const timer = setTimeout(() => setRestingId(id), READ_AFTER_MS)
    return () => clearTimeout(timer)
  }, [id])
  const { data, isError } = useQuery(movieDetails(id === restingId ? chosen?.result : undefined))
  const found = chosen?.found ?? (id === restingId ? data : undefined)
  return {
    found,
    isReading: chosen !== undefined && found === undefined && !isError,
    /** Undefined if it cannot be read. */
    read: async ({ found: known, result }: Candidate): Promise<FoundMovie | undefined> => {
      if (known !== undefined) return known
      try {
        return await client.query(movieDetails(result))
      } catch {
        return undefined
      }
    },
  }
}

type Busy = 'box' | 'feed' | 'want' | 'undo'

/** Adds, wants and takes back, one at a time. Failures are shown. */
function useSaving(watchlistId: string) {
  const { t } = useTranslation('moviecard')
  const client = useQueryClient()
  const { mutateAsync: add } = useAddCard(watchlistId)
  const { mutateAsync: want } = useWantMovie(watchlistId)
  const { mutateAsync: remove } = useDeleteCard(watchlistId)
  const [busy, setBusy] = useState<Busy>()
  const [done, setDone] = useState<Done>()
  const [failure, setFailure] = useState<{ action: CardAction; error: unknown }>()

  const attempt = async <T,>(action: CardAction, work: () => Promise<T>): Promise<{ result: T } | undefined> => {
    setFailure(undefined)
    try {
      const result = await work()
      forgetMatches(client, watchlistId)
      return { result }
    } catch (error) {
      setFailure({ action, error })
      return undefined
    }
  }
  const run = async (what: Busy, work: Promise<unknown>) => {
    setBusy(what)
    await work
    setBusy(undefined)
  }
  return {
    busy,
    done,
    failure,
    setDone,
    run,
    isOnlyInBox: async (found: FoundMovie) => {
      if (found.movie === null) return false
      try {
        const { inFeed, isInBox } = await client.query({
          ...movieMatch(watchlistId, found),
          staleTime: MATCH_LASTS_MS,
        })
        return inFeed === null && isInBox
      } catch {
        return false
      }
    },
    add: async (found: FoundMovie, revealImmediately: boolean) =>
      (await attempt('add', async () => add({ body: addMovieBody({ ...filledIn(found), revealImmediately }) })))
        ?.result,
    want: async (body: Parameters<typeof want>[0]) => (await attempt('want', async () => want(body))) !== undefined,
    undo: async (card: Card) => {
      const removed = attempt('delete', async () => remove(card))
      await run('undo', removed)
      if ((await removed) !== undefined) setDone({ text: t('suggestions.withdrawn', { title: card.title }) })
    },
  }
}

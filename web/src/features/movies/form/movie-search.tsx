import { type CatalogueResult, TMDB_ATTRIBUTION } from '@marquee/contract/entities/catalogue'
import { linkIn } from '@marquee/contract/rules/link'
import { CircleAlert, CircleCheck, Clapperboard, PencilLine, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { features } from '#web/config.ts'
import { classes } from '#web/ui/classes.ts'
import { Field, fieldWiring, inputStyle } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { type OnFound, type SearchStatus, useMovieSearch } from './use-movie-search.ts'

type MovieSearchProps = {
  /** What to search for from the start. */
  begin: string
  takesFocus: boolean
  onFound: OnFound
  /** The user fills in the form. `typed` is what is in the search field. */
  onByHand: (typed: string) => void
}

/**
 * Finds a movie by its title or by a link: a combobox whose options are the movies found, and last the form by hand. The
 * first option is active, so Enter chooses it.
 */
export function MovieSearch({ begin, takesFocus, onFound, onByHand }: MovieSearchProps) {
  const { t } = useTranslation('moviecard')
  const id = useId()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(begin !== '')
  const [place, setPlace] = useState(0)
  const { text, results, isSettled, status, type, askNow, choose, clear } = useMovieSearch(begin, onFound)
  const count = results.length + 1
  const isShown = isOpen && (isSettled || results.length > 0)
  const active = isShown && isSettled ? Math.min(place, count - 1) : undefined
  const idOf = (index: number) => `${id}-option-${index}`
  const activeId = active === undefined ? undefined : idOf(active)

  useEffect(() => {
    if (isShown) panel.current?.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  useEffect(() => {
    if (activeId !== undefined) document.querySelector(`#${CSS.escape(activeId)}`)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const take = (index: number) => {
    const result = results[index]
    setOpen(false)
    if (result !== undefined) {
      choose(result)
      return
    }
    onByHand(text.trim())
    clear()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault()
        const step = event.key === 'ArrowDown' ? 1 : -1
        if (active === undefined) setOpen(true)
        else setPlace((active + step + count) % count)
        break
      }
      case 'Enter':
        // It never sends the form.
        event.preventDefault()
        if (active === undefined) askNow()
        else take(active)
        break
      case 'Escape':
        if (isShown) event.stopPropagation()
        setOpen(false)
    }
  }

  const optionProps = (index: number) => ({
    id: idOf(index),
    isActive: index === active,
    onPoint: () => setPlace(index),
    onTake: () => take(index),
  })
  const hint = isSeen(status) ? undefined : t('search.hint')
  return (
    <Field id={id} label={t('search.label')} hint={hint}>
      <div className="relative flex flex-col gap-1.5">
        <div className="relative">
          <Search
            aria-hidden
            className="pointer-events-none absolute start-3 top-1/2 size-4.5 -translate-y-1/2 text-muted"
          />
          <input
            {...fieldWiring(id, { hint })}
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={isShown}
            aria-controls={`${id}-list`}
            aria-activedescendant={activeId}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            enterKeyHint="search"
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
            autoFocus={takesFocus}
            value={text}
            onChange={({ target }) => {
              type(target.value)
              setPlace(0)
              setOpen(true)
            }}
            onClick={() => setOpen(true)}
            onBlur={() => setOpen(false)}
            onKeyDown={onKeyDown}
            className={`${inputStyle} ps-10! pe-10!`}
          />
          {(status.step === 'searching' || status.step === 'reading') && (
            <span className="absolute end-3 top-1/2 -translate-y-1/2 text-muted">
              <Spinner />
            </span>
          )}
        </div>
        <SearchSentence status={status} />
        <div
          ref={panel}
          hidden={!isShown}
          className="absolute inset-x-0 top-full z-40 mt-1 overflow-hidden rounded-panel border border-line bg-surface shadow-float"
        >
          <div
            id={`${id}-list`}
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list of options cannot show posters
            role="listbox"
            aria-label={t('search.results')}
            className={classes('max-h-[min(24rem,50svh)] overflow-y-auto p-1.5', !isSettled && 'opacity-55')}
          >
            {isShown && <Options text={text} results={results} propsOf={optionProps} />}
          </div>
          {features().catalogue === 'tmdb' && (
            <p className="border-t border-line px-3 py-2 text-xs text-muted">{TMDB_ATTRIBUTION}</p>
          )}
        </div>
      </div>
    </Field>
  )
}

/** The number of results is for screen readers only. */
function isSeen({ step }: SearchStatus): boolean {
  return step !== 'idle' && step !== 'searching' && step !== 'found'
}

function SearchSentence({ status }: { status: SearchStatus }) {
  const sentence = useSentence()(status)
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the reset of a form replaces the content of an output element
      role="status"
      className={isSeen(status) ? 'flex items-start gap-1.5 text-sm text-muted' : 'sr-only'}
    >
      {status.step === 'failed' && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
      {status.step === 'filled' && <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-success" />}
      <span>{sentence}</span>
    </div>
  )
}

type OptionsProps = {
  text: string
  results: readonly CatalogueResult[]
  propsOf: (index: number) => Omit<OptionProps, 'children'>
}

/** The movies found, and the form by hand. */
function Options({ text, results, propsOf }: OptionsProps) {
  const { t } = useTranslation('moviecard')
  return (
    <>
      {results.map((result, index) => (
        <Option key={result.id} {...propsOf(index)}>
          <Result result={result} />
        </Option>
      ))}
      <Option {...propsOf(results.length)}>
        <PencilLine aria-hidden className="mx-3.5 size-5 shrink-0 text-muted" />
        <span className="min-w-0 py-1.5">
          {linkIn(text) === undefined ? t('search.byHand', { title: text.trim() }) : t('search.byHandAtLink')}
        </span>
      </Option>
    </>
  )
}

type OptionProps = { id: string; isActive: boolean; onPoint: () => void; onTake: () => void; children: ReactNode }

function Option({ id, isActive, onPoint, onTake, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the combobox
    <div
      id={id}
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native option cannot show a poster
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-control p-1.5',
        isActive && 'bg-raised outline-2 -outline-offset-2 outline-accent',
      )}
    >
      {children}
    </div>
  )
}

function Result({ result }: { result: CatalogueResult }) {
  const factsText = useFactsText()
  const { title, originalTitle, year, directors, posterUrl } = result
  const [isBroken, setBroken] = useState(false)
  const poster = 'aspect-2/3 w-12 shrink-0 rounded-poster bg-raised object-cover'
  return (
    <>
      {posterUrl === null || isBroken ? (
        <span className={classes(poster, 'flex items-center justify-center')}>
          <Clapperboard aria-hidden className="size-5 text-muted" />
        </span>
      ) : (
        <img
          src={posterUrl}
          alt=""
          width={48}
          height={72}
          loading="lazy"
          onError={() => setBroken(true)}
          className={poster}
        />
      )}
      <span className="flex min-w-0 flex-col">
        <span className="font-display leading-tight font-semibold">
          <bdi>{title}</bdi>
        </span>
        {originalTitle !== null && originalTitle !== title && <span className="text-sm">{originalTitle}</span>}
        <span className="text-sm text-muted">{factsText({ year, directors })}</span>
      </span>
    </>
  )
}

/** What the search has come to; empty while there is nothing to say. */
function useSentence(): (status: SearchStatus) => string {
  const { t } = useTranslation('moviecard')
  return (status) => {
    switch (status.step) {
      case 'idle':
      case 'searching':
        return ''
      case 'found':
        return t('search.found', { count: status.count })
      case 'none':
        return t('search.none')
      case 'reading':
        return status.title === undefined ? t('search.readingLink') : t('search.reading', { title: status.title })
      case 'filled':
      case 'filledInPart':
        return t(`search.${status.step}`, { title: status.title })
      case 'failed':
        return t(`search.${status.failure}`)
    }
  }
}

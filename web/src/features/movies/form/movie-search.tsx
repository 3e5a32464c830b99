import { TMDB_ATTRIBUTION } from '@marquee/contract/entities/catalogue'
import { linkIn } from '@marquee/contract/rules/link'
import { CircleAlert, PencilLine, Search } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId } from 'react'

import { features } from '#web/config.ts'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { classes } from '#web/ui/classes.ts'
import { Field, fieldWiring, inputStyle } from '#web/ui/field.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

import { SmallPoster } from './small-poster.tsx'
import type { Candidate, SearchStatus } from './use-movie-search.ts'

type MovieSearchProps = {
  ref: Ref<HTMLInputElement>
  text: string
  status: SearchStatus
  candidates: readonly Candidate[]
  /** The option that Enter takes: a candidate, or behind the last one the form by hand. */
  active: number | undefined
  isOpen: boolean
  /** The candidates belong to the text in the field. */
  isSettled: boolean
  isBusy: boolean
  takesFocus: boolean
  onType: (text: string) => void
  onPoint: (index: number) => void
  onTake: (index: number) => void
  /** Enter. */
  onEnter: () => void
  onFold: () => void
  onUnfold: () => void
  /** Beside the options; on a phone below them. */
  children: ReactNode
}

/**
 * Finds a movie by its title or by a link: a combobox whose options are the movies found, and last the form by hand. The
 * first option is active.
 */
export function MovieSearch({ children, ...props }: MovieSearchProps) {
  const { status, active, isOpen } = props
  const id = useId()
  const activeId = active === undefined ? undefined : optionId(id, active)
  useEffect(() => {
    if (activeId !== undefined) document.querySelector(`#${CSS.escape(activeId)}`)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  return (
    <>
      <SearchField {...props} id={id} activeId={activeId} />
      <SearchSentence status={status} />
      <div
        className={classes(
          'flex min-h-0 flex-1 flex-col gap-3 sm:grid sm:grid-cols-2 sm:items-start sm:gap-5',
          !isOpen && 'hidden!',
        )}
      >
        <Options {...props} id={id} />
        {isOpen && children}
        {features().catalogue === 'tmdb' && <p className="text-xs text-muted sm:col-span-2">{TMDB_ATTRIBUTION}</p>}
      </div>
    </>
  )
}

function optionId(id: string, index: number): string {
  return `${id}-option-${index}`
}

type SearchFieldProps = Omit<MovieSearchProps, 'children'> & { id: string; activeId: string | undefined }

function SearchField(props: SearchFieldProps) {
  const { ref, id, activeId, text, status, isOpen, isBusy, takesFocus, onType, onUnfold } = props
  const { t } = useTranslation('moviecard')
  return (
    <Field id={id} label={t('search.label')}>
      <div className="relative">
        <Search
          aria-hidden
          className="pointer-events-none absolute start-3 top-1/2 size-4.5 -translate-y-1/2 text-muted"
        />
        <input
          {...fieldWiring(id, {})}
          ref={ref}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="go"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form opens where its button was pressed
          autoFocus={takesFocus}
          value={text}
          onChange={({ target }) => onType(target.value)}
          onClick={onUnfold}
          onKeyDown={(event) => handleKey(event, props)}
          className={`${inputStyle} ps-10! pe-10!`}
        />
        {(isBusy || status.step === 'searching' || status.step === 'readingLink') && (
          <span className="absolute end-3 top-1/2 -translate-y-1/2 text-muted">
            <Spinner />
          </span>
        )}
      </div>
    </Field>
  )
}

type Keys = Pick<MovieSearchProps, 'active' | 'candidates' | 'isOpen' | 'onPoint' | 'onEnter' | 'onFold' | 'onUnfold'>

function handleKey(event: KeyboardEvent, { active, candidates, isOpen, onPoint, onEnter, onFold, onUnfold }: Keys) {
  if (event.nativeEvent.isComposing) return
  const count = candidates.length + 1
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowUp': {
      event.preventDefault()
      const step = event.key === 'ArrowDown' ? 1 : -1
      if (active === undefined) onUnfold()
      else onPoint((active + step + count) % count)
      break
    }
    case 'Enter':
      event.preventDefault()
      onEnter()
      break
    case 'Escape':
      if (!isOpen) break
      // The sheet around it stays open.
      event.preventDefault()
      event.stopPropagation()
      onFold()
  }
}

type OptionsProps = Pick<MovieSearchProps, 'text' | 'candidates' | 'active' | 'isOpen' | 'isSettled' | 'onTake'>

/** The movies found, and last the form by hand. */
function Options({ id, text, candidates, active, isOpen, isSettled, onTake }: OptionsProps & { id: string }) {
  const { t } = useTranslation('moviecard')
  const optionProps = (index: number) => ({
    id: optionId(id, index),
    isActive: index === active,
    onTake: () => onTake(index),
  })
  return (
    <div
      id={`${id}-list`}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native list of options cannot show posters
      role="listbox"
      aria-label={t('search.results')}
      className={classes('min-h-0 flex-1 overflow-y-auto overscroll-contain sm:max-h-80', !isSettled && 'opacity-55')}
    >
      {isOpen && (
        <>
          {candidates.map((candidate, index) => (
            <Option key={candidate.id} {...optionProps(index)}>
              <Found candidate={candidate} />
            </Option>
          ))}
          <Option {...optionProps(candidates.length)}>
            <PencilLine aria-hidden className="mx-2.5 size-5 shrink-0 text-muted" />
            <span className="min-w-0 py-1.5">
              {linkIn(text) === undefined ? t('search.byHand', { title: text.trim() }) : t('search.byHandAtLink')}
            </span>
          </Option>
        </>
      )}
    </div>
  )
}

/** The number of results is for screen readers only. */
function isSeen({ step }: SearchStatus): boolean {
  return step === 'failed' || step === 'none' || step === 'readingLink'
}

function SearchSentence({ status }: { status: SearchStatus }) {
  const sentence = useSentence()(status)
  return (
    <output className={isSeen(status) ? 'flex items-start gap-1.5 text-sm text-muted' : 'sr-only'}>
      {status.step === 'failed' && <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />}
      <span>{sentence}</span>
    </output>
  )
}

type OptionProps = { id: string; isActive: boolean; onTake: () => void; children: ReactNode }

function Option({ id, isActive, onTake, children }: OptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keys are those of the combobox
    <div
      id={id}
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a native option cannot show a poster
      role="option"
      aria-selected={isActive}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onTake}
      className={classes(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-control p-1.5 hover:bg-raised',
        isActive && 'bg-raised outline-2 -outline-offset-2 outline-accent',
      )}
    >
      {children}
    </div>
  )
}

function Found({ candidate: { result, found } }: { candidate: Candidate }) {
  const factsText = useFactsText()
  const { title, posterUrl } = result ?? found
  const { originalTitle = null, year = null, directors = [] } = result ?? found.movie ?? {}
  return (
    <>
      <SmallPoster url={posterUrl} className="w-10" />
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
      case 'readingLink':
        return t('search.readingLink')
      case 'failed':
        return t(`search.${status.failure}`)
    }
  }
}

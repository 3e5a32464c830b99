import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Plus, WandSparkles } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { NeedsConnection } from '#web/offline/needs-connection.tsx'
import { to } from '#web/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import { CardFailure } from '../card-failure.tsx'
import { CardBack } from '../card/card-look.tsx'
import { THUMB_BAR } from '../card/card-moves.tsx'
import type { useRevealCard } from '../mutations.ts'
import { suggestedCount, suggestions } from '../queries.ts'

type BoxPanelProps = {
  watchlistId: string
  reveal: ReturnType<typeof useRevealCard>
  onReveal: () => void
  /** Cards wait for a decision above it. */
  isSmall: boolean
  /** On a phone the bar at the bottom has the moves of a card, so the buttons of the box stay in the panel. */
  isDeciding: boolean
  /** Another button is the main one. */
  isQuiet: boolean
  onAdd: () => void
}

/** On the narrowest screens the texts need the room of the icons. A button whose words do not fit takes the next line. */
const NARROW = 'wrap-normal max-sm:px-3 max-[22.5rem]:text-sm max-[25rem]:[&>svg:not(.animate-spin)]:hidden'

/** The box: the number of cards, and the buttons to add and to reveal one. */
export function BoxPanel({ watchlistId, reveal, onReveal, isSmall, isDeciding, isQuiet, onAdd }: BoxPanelProps) {
  const { t } = useTranslation('moviecard')
  const headingId = useId()
  const { data: count, isPending } = useQuery(suggestedCount(watchlistId))
  const isEmpty = count === 0
  const { data: suggested } = useInfiniteQuery({
    ...suggestions(watchlistId),
    enabled: count !== undefined && !isEmpty,
  })
  const { count: own = 0, wantCount = 0 } = (isEmpty ? undefined : suggested?.pages[0]) ?? {}
  return (
    <section aria-labelledby={headingId} className={isSmall ? undefined : 'pt-2'}>
      {!isSmall && <MovieBox count={count ?? 0} />}
      <div
        className={classes(
          '@container rounded-b-panel border border-control-edge bg-raised',
          isSmall && 'rounded-t-panel',
        )}
      >
        <div className="flex flex-col gap-4 p-4 sm:p-5 @[40rem]:flex-row @[40rem]:items-center @[40rem]:justify-between">
          <div className="min-w-0">
            <div className="flex items-center justify-between gap-x-4">
              <h2
                id={headingId}
                className="font-sans text-sm font-semibold tracking-normal whitespace-nowrap text-muted"
              >
                {t('box.title')}
              </h2>
              {own + wantCount > 0 && (
                <Link
                  to={to.suggestions(watchlistId)}
                  className="-my-3 inline-flex min-h-11 items-center rounded-control text-sm text-muted underline hover:text-text"
                >
                  {own > 0 ? t('suggestions.yours', { count: own }) : t('suggestions.title')}
                </Link>
              )}
            </div>
            <div className={classes('flex items-center', !isSmall && 'min-h-14')}>
              {isEmpty ? (
                <p className="flex flex-col">
                  <span className="font-display text-xl font-semibold">{t('box.empty')}</span>
                  <span className="max-w-xs text-sm text-muted">{t('box.emptyHint')}</span>
                </p>
              ) : (
                count !== undefined && <Count count={count} />
              )}
            </div>
            {!isEmpty && <NeedsConnection text={t('box.needsConnection')} />}
          </div>
          <BoxButtons
            isBusy={reveal.isPending}
            onReveal={onReveal}
            isEmpty={isEmpty}
            isReady={count !== undefined}
            isSteady={!isPending}
            isDeciding={isDeciding}
            isQuiet={isQuiet}
            onAdd={onAdd}
          />
        </div>
      </div>
      {reveal.isError && (
        <div className="mt-3">
          <CardFailure action="reveal" error={reveal.error} />
        </div>
      )}
    </section>
  )
}

type BoxButtonsProps = Pick<BoxPanelProps, 'onReveal' | 'isDeciding' | 'isQuiet' | 'onAdd'> & {
  isBusy: boolean
  isEmpty: boolean
  isReady: boolean
  /** The text beside them is there, which takes the room of one of them if the box is empty. */
  isSteady: boolean
}

function BoxButtons({ isBusy, onReveal, isEmpty, isReady, isSteady, isDeciding, isQuiet, onAdd }: BoxButtonsProps) {
  const { t } = useTranslation('moviecard')
  return (
    <div
      className={classes(
        'flex flex-wrap gap-2 @[40rem]:justify-end',
        !isDeciding && `${THUMB_BAR} max-sm:pt-3`,
        !isSteady && 'sm:invisible',
      )}
    >
      <Button
        tone={isEmpty && !isQuiet ? 'primary' : 'quiet'}
        icon={<Plus aria-hidden />}
        onClick={onAdd}
        className={NARROW}
      >
        {t('box.add')}
      </Button>
      <Button
        tone={isEmpty || isQuiet ? 'quiet' : 'primary'}
        icon={<WandSparkles aria-hidden />}
        busy={isBusy}
        disabled={!isReady || isEmpty}
        onClick={onReveal}
        className={`max-sm:flex-1 ${NARROW}`}
      >
        {t('box.reveal')}
      </Button>
    </div>
  )
}

function Count({ count }: { count: number }) {
  const { t } = useTranslation('moviecard')
  return (
    <div>
      <p className="flex items-baseline gap-2 font-display font-bold">
        <span className="text-5xl leading-none whitespace-nowrap tabular-nums">{count}</span>{' '}
        <span className="text-xl whitespace-nowrap">{t('box.cards', { count })}</span>
      </p>
    </div>
  )
}

/** The positions of the cards that peek out of the box, from the middle outwards. */
const PEEKS = [
  'start-[50%] top-2 rotate-2',
  'start-[33%] top-5 -rotate-3',
  'start-[67%] top-4 rotate-6',
  'start-[17%] top-8 -rotate-8',
  'start-[83%] top-7 rotate-3',
] as const

const EDGE = 'stroke-control-edge'

/** The top of the box: up to five cards peek out, and an empty box shows its lid. Decoration. */
function MovieBox({ count }: { count: number }) {
  return (
    <div aria-hidden className="relative -mb-px h-24 overflow-hidden select-none">
      {count === 0 && <Shape path="M4 100 L7 2 L93 2 L96 100" className={`top-9 bottom-4 fill-surface ${EDGE}`} />}
      <Shape path="M4 2 L96 2 L100 100 L0 100 Z" className={`bottom-0 h-5 fill-line ${EDGE}`} />
      {PEEKS.slice(0, count).map((place) => (
        <div key={place} className={classes('absolute h-36 w-24 -translate-x-1/2 rtl:translate-x-1/2', place)}>
          <div className="size-full animate-peek">
            <CardBack />
          </div>
        </div>
      ))}
    </div>
  )
}

function Shape({ path, className }: { path: string; className: string }) {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" className={`absolute inset-x-0 size-full ${className}`}>
      <path d={path} vectorEffect="non-scaling-stroke" />
    </svg>
  )
}

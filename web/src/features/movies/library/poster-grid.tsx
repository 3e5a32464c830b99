import type { Card } from '@marquee/contract/entities/card'
import { memo, useDeferredValue, useLayoutEffect, useState } from 'react'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { StatusIcon } from './status-icon.tsx'
import { useStatusText } from './movie-texts.ts'
import type { Screenful } from './use-movies.ts'
import { useShelf } from './use-shelf.ts'

const GAP = 16
const NARROWEST = 136
/** Two lines of title and one of facts. */
const CAPTION = 76

export type ShelfProps = {
  /** The cards near the screen, undefined while they load. */
  cards: readonly (Card | undefined)[]
  /** The place of the first of them. */
  offset: number
  count: number
  /** More cards follow. */
  hasMore: boolean
  onScreen: (places: Screenful) => void
  onEnd: () => void
  onOpen: (card: Card) => void
}

/** The movies as posters. */
export function PosterGrid({ cards, offset, count, hasMore, onScreen, onEnd, onOpen }: ShelfProps) {
  const { t } = useTranslation('watchlist')
  const [width, setWidth] = useState(640)
  const columns = Math.max(2, Math.floor((width + GAP) / (NARROWEST + GAP)))
  const tile = (width - GAP * (columns - 1)) / columns
  const rowHeight = tile * 1.5 + CAPTION + GAP
  const { container, setContainer, rows, height, itemProps } = useShelf<HTMLUListElement>({
    count,
    columns,
    rowHeight,
    onScreen,
    onEnd,
  })
  useWidth(container, setWidth)

  return (
    <ul ref={setContainer} aria-label={t('library.list')} style={{ height }} className="relative">
      {rows.flatMap((row) =>
        Array.from({ length: Math.min(columns, count - row.index * columns) }, (_, column) => {
          const index = row.index * columns + column
          const card = cards[index - offset]
          return (
            <li
              key={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : count}
              style={{ top: row.top, insetInlineStart: column * (tile + GAP), width: tile }}
              className="absolute"
            >
              <button
                {...itemProps(index)}
                type="button"
                aria-label={card === undefined ? t('library.loading') : undefined}
                onClick={() => card && onOpen(card)}
                className="group flex w-full flex-col gap-2 rounded-poster text-start"
              >
                <Tile card={card} />
              </button>
            </li>
          )
        }),
      )}
    </ul>
  )
}

/** Many tiles come near the screen at once. They are rendered in several short tasks, so that scrolling stays smooth. */
const Tile = memo(function Tile({ card }: { card: Card | undefined }) {
  const shown = useDeferredValue(card, undefined)
  return shown === undefined ? <Skeleton className="aspect-2/3 w-full" /> : <MovieTile key={shown.id} card={shown} />
})

function MovieTile({ card }: { card: Card }) {
  const statusText = useStatusText()
  const factsText = useFactsText()
  return (
    <>
      <MoviePoster
        card={card}
        className="w-full transition-transform duration-200 group-hover:-translate-y-1 group-hover:shadow-float"
      />
      <span className="flex w-full flex-col">
        <span className="line-clamp-2 text-sm leading-5 font-semibold">
          <bdi>{card.title}</bdi>
        </span>
        <span className="flex items-center gap-1.5 text-sm text-muted">
          <StatusIcon status={card.status} />
          <span className="sr-only">{statusText(card.status)}</span>
          <span className="truncate">{factsText({ ...card.movie, genres: [], directors: [] })}</span>
        </span>
      </span>
    </>
  )
}

/** Follows the width of an element. */
function useWidth(element: HTMLElement | null, onWidth: (width: number) => void): void {
  useLayoutEffect(() => {
    if (element === null) return undefined
    const tell = () => {
      if (element.clientWidth > 0) onWidth(element.clientWidth)
    }
    tell()
    const observer = new ResizeObserver(tell)
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, onWidth])
}

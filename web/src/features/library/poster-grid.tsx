import type { Card } from '@marquee/contract/entities/card'
import { useLayoutEffect, useState } from 'react'
import { useFactsText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { MoviePoster } from '#web/ui/movie-poster.tsx'

import { StatusIcon } from './status-icon.tsx'
import { useStatusText } from './movie-texts.ts'
import { useShelf } from './use-shelf.ts'

const GAP = 16
const NARROWEST = 136
/** Two lines of title and one of facts. */
const CAPTION = 76

export type ShelfProps = {
  cards: readonly Card[]
  /** More cards follow. */
  hasMore: boolean
  onEnd: () => void
  onOpen: (card: Card) => void
}

/** The movies as posters. */
export function PosterGrid({ cards, hasMore, onEnd, onOpen }: ShelfProps) {
  const { t } = useTranslation('watchlist')
  const statusText = useStatusText()
  const factsText = useFactsText()
  const [width, setWidth] = useState(640)
  const columns = Math.max(2, Math.floor((width + GAP) / (NARROWEST + GAP)))
  const tile = (width - GAP * (columns - 1)) / columns
  const rowHeight = tile * 1.5 + CAPTION + GAP
  const { container, setContainer, rows, height, itemProps } = useShelf<HTMLUListElement>({
    count: cards.length,
    columns,
    rowHeight,
    onEnd,
  })
  useWidth(container, setWidth)

  return (
    <ul ref={setContainer} aria-label={t('library.list')} style={{ height }} className="relative">
      {rows.flatMap((row) =>
        cards.slice(row.index * columns, (row.index + 1) * columns).map((card, column) => {
          const index = row.index * columns + column
          return (
            <li
              key={card.id}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : cards.length}
              style={{ top: row.top, insetInlineStart: column * (tile + GAP), width: tile }}
              className="absolute"
            >
              <button
                {...itemProps(index)}
                type="button"
                onClick={() => onOpen(card)}
                className="group flex w-full flex-col gap-2 rounded-poster text-start"
              >
                <MoviePoster
                  card={card}
                  className="w-full transition-transform duration-200 group-hover:-translate-y-1 group-hover:shadow-float"
                />
                <span className="flex w-full flex-col">
                  <span className="line-clamp-2 text-sm leading-5 font-semibold">{card.title}</span>
                  <span className="flex items-center gap-1.5 text-sm text-muted">
                    <StatusIcon status={card.status} />
                    <span className="sr-only">{statusText(card.status)}</span>
                    <span className="truncate">{factsText({ ...card.movie, genres: [], directors: [] })}</span>
                  </span>
                </span>
              </button>
            </li>
          )
        }),
      )}
    </ul>
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

import type { LibrarySort } from '@marquee/contract/rules/library'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode } from 'react'
import { listText, useRuntimeText } from '#web/i18n/movie-facts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { dayText } from '#web/i18n/dates.ts'
import { classes } from '#web/ui/classes.ts'

import { MoviePoster } from '#web/ui/movie-poster.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { StatusIcon } from './status-icon.tsx'
import { useStatusText } from './movie-texts.ts'
import type { ShelfProps } from './poster-grid.tsx'
import { useShelf } from './use-shelf.ts'

const ROW_HEIGHT = 72

const FROM_TABLET = 'max-md:hidden'
const FROM_DESKTOP = 'max-lg:hidden'

/** The columns, with the order that their heading chooses. */
const COLUMNS = [
  { label: 'library.sorts.title', sort: 'title', className: 'w-full' },
  { label: 'library.year', sort: 'year', className: 'w-16 min-w-16' },
  { label: 'library.maxRuntime', sort: 'runtime', className: `w-28 min-w-28 ${FROM_TABLET}` },
  { label: 'library.directors', sort: undefined, className: `w-48 min-w-48 ${FROM_DESKTOP}` },
  { label: 'library.suggestedBy', sort: undefined, className: `w-36 min-w-36 ${FROM_TABLET}` },
  { label: 'library.status', sort: undefined, className: `w-44 min-w-44 ${FROM_DESKTOP}` },
  { label: 'library.sorts.changed', sort: 'changed', className: `w-36 min-w-36 ${FROM_TABLET}` },
] as const

const DESCENDING: readonly LibrarySort[] = ['changed', 'year']

type MovieTableProps = ShelfProps & { sort: LibrarySort; onSort: (sort: LibrarySort) => void }

/** The movies as a table. On a phone it has title and year. */
export function MovieTable(props: MovieTableProps) {
  const { cards, offset, count, hasMore, onScreen, onEnd, onOpen, sort, onSort } = props
  const { t } = useTranslation('watchlist')
  const { setContainer, rows, height, itemProps } = useShelf<HTMLTableSectionElement>({
    count,
    columns: 1,
    rowHeight: ROW_HEIGHT,
    onScreen,
    onEnd,
  })
  const bottomOf = (row: { top: number } | undefined) => (row === undefined ? 0 : row.top + ROW_HEIGHT)

  return (
    <table
      aria-label={t('library.list')}
      aria-rowcount={hasMore ? -1 : count + 1}
      className="w-full table-fixed border-collapse text-start"
    >
      <Headings sort={sort} onSort={onSort} />
      <tbody ref={setContainer}>
        {rows.map(({ index, top }, place) => {
          const card = cards[index - offset]
          return (
            <Fragment key={index}>
              <Space height={top - bottomOf(rows[place - 1])} />
              <Row index={index} card={card} control={itemProps(index)} onOpen={onOpen} />
            </Fragment>
          )
        })}
        <Space height={height - bottomOf(rows.at(-1))} />
      </tbody>
    </table>
  )
}

function Headings({ sort, onSort }: Pick<MovieTableProps, 'sort' | 'onSort'>) {
  const { t } = useTranslation('watchlist')
  const direction = DESCENDING.includes(sort) ? 'descending' : 'ascending'
  const SortIcon = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <thead>
      <tr className="border-b border-line text-sm text-muted">
        {COLUMNS.map((column) => (
          <th
            key={column.label}
            scope="col"
            aria-sort={column.sort === sort ? direction : undefined}
            className={classes('px-2 text-start font-semibold first:ps-0 last:pe-0', column.className)}
          >
            {column.sort === undefined ? (
              t(column.label)
            ) : (
              <button
                type="button"
                onClick={() => onSort(column.sort)}
                className="inline-flex min-h-9 items-center gap-1 hover:text-text pointer-coarse:min-h-11"
              >
                {t(column.label)}
                {column.sort === sort && <SortIcon aria-hidden className="size-4" />}
              </button>
            )}
          </th>
        ))}
      </tr>
    </thead>
  )
}

type RowProps = Pick<ShelfProps, 'onOpen'> & {
  index: number
  /** Undefined while it loads. */
  card: ShelfProps['cards'][number] | undefined
  control: ComponentProps<'button'>
}

function Row({ index, card, control, onOpen }: RowProps) {
  const { t } = useTranslation('watchlist')
  const statusText = useStatusText()
  const runtimeText = useRuntimeText()
  const movie = card?.movie
  return (
    <tr aria-rowindex={index + 2} style={{ height: ROW_HEIGHT }} className="border-b border-line">
      <th scope="row" className="overflow-hidden text-start font-normal">
        <button
          {...control}
          type="button"
          aria-label={card === undefined ? t('library.loading') : undefined}
          onClick={() => card && onOpen(card)}
          className="flex h-17 w-full items-center gap-3 rounded-poster text-start hover:text-accent"
        >
          {card === undefined ? (
            <Skeleton className="h-15 w-10" />
          ) : (
            <>
              <MoviePoster key={card.id} card={card} className="h-15 w-10 shrink-0" />
              <StatusIcon status={card.status} />
              <span className="line-clamp-2 min-w-0 font-semibold">
                <bdi>{card.title}</bdi>
              </span>
            </>
          )}
        </button>
      </th>
      <Cell column={1}>{movie?.year}</Cell>
      <Cell column={2}>{typeof movie?.runtimeMinutes === 'number' && runtimeText(movie.runtimeMinutes)}</Cell>
      <Cell column={3}>{movie && listText(movie.directors)}</Cell>
      <Cell column={4}>{card?.creatorId}</Cell>
      <Cell column={5}>{card && statusText(card.status)}</Cell>
      <Cell column={6}>{card && dayText(card.statusChangedAt)}</Cell>
    </tr>
  )
}

function Cell({ column, children }: { column: number; children: ReactNode }) {
  return (
    <td className={classes('overflow-hidden px-2 text-sm text-muted last:pe-0', COLUMNS[column]?.className)}>
      <span className="line-clamp-2">{children}</span>
    </td>
  )
}

/** The room of the rows that are far away. */
function Space({ height }: { height: number }) {
  if (height <= 0) return null
  return (
    <tr aria-hidden>
      <td colSpan={COLUMNS.length} style={{ height, padding: 0 }}>
        {'\u00A0'}
      </td>
    </tr>
  )
}

import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'

import type { Screenful } from './use-movies.ts'

/** The top bar covers what scrolls below it. */
const TOP_BAR = 72
/** The tabs at the bottom of a phone. */
const PLACE_BAR = 72
/** The next page is asked for when so few rows are left below the screen. */
const ROWS_AHEAD = 4
/** Not every row that passes by renders the page. */
const ITEMS_PER_STEP = 25

type ShelfInput = {
  count: number
  columns: number
  rowHeight: number
  /** Called when other items come near the screen. */
  onScreen: (places: Screenful) => void
  /** Called while the end is near. */
  onEnd: () => void
}

/**
 * A long list of which only the rows near the screen exist. One item is in the tab order; arrow keys, Home and End move
 * the focus to the others, whether they exist yet or not.
 */
export function useShelf<Container extends HTMLElement>(input: ShelfInput) {
  const { count, columns, rowHeight, onScreen, onEnd } = input
  const [container, setContainer] = useState<Container | null>(null)
  const top = useTopOf(container)
  const [current, setCurrent] = useState(0)
  /** The item that a key moves the focus to. */
  const goal = useRef<number>(undefined)
  const active = Math.min(current, Math.max(0, count - 1))
  const activeRow = Math.floor(active / columns)
  const rows = Math.ceil(count / columns)

  const virtualizer = useRows({ rows, rowHeight, top, activeRow })
  useNearness(virtualizer.range, { rows, count, columns, onScreen, onEnd })

  const items = virtualizer.getVirtualItems()
  // The row may appear only after the page has scrolled. An effect of an earlier render may run after the key.
  useEffect(() => {
    const item = container?.querySelector<HTMLElement>(`[data-index="${active}"]`)
    if (goal.current !== active || item === undefined || item === null) return
    goal.current = undefined
    item.focus({ preventScroll: true })
  }, [container, active, items])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const next = targetOf(event.key, { active, columns, last: count - 1 })
    if (next === undefined) return
    event.preventDefault()
    goal.current = next
    setCurrent(next)
    virtualizer.scrollToIndex(Math.floor(next / columns))
  }

  return {
    container,
    setContainer,
    rows: items.map(({ index, start }) => ({ index, top: start - top })),
    height: virtualizer.getTotalSize(),
    /** The properties of the control of an item. */
    itemProps: (index: number) => ({
      'data-index': index,
      tabIndex: index === active ? 0 : -1,
      onFocus: () => setCurrent(index),
      onKeyDown,
    }),
  }
}

type RowsInput = { rows: number; rowHeight: number; top: number; activeRow: number }

/** The rows that exist: those near the screen, and the one with the focus. */
function useRows({ rows, rowHeight, top, activeRow }: RowsInput) {
  // oxlint-disable-next-line react/incompatible-library -- the app is built without the React Compiler
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => rowHeight,
    overscan: 1,
    // The rows are made in a task of their own, not in that of the scroll event.
    useFlushSync: false,
    scrollMargin: top,
    scrollPaddingStart: TOP_BAR,
    scrollPaddingEnd: PLACE_BAR,
    // The row with the focus stays, however far away it is.
    rangeExtractor: useCallback(
      (range: Range) => {
        const near = defaultRangeExtractor(range)
        return activeRow >= rows || near.includes(activeRow) ? near : [...near, activeRow].toSorted((a, b) => a - b)
      },
      [activeRow, rows],
    ),
  })

  useLayoutEffect(() => {
    virtualizer.measure()
  }, [virtualizer, rowHeight])
  return virtualizer
}

/** Where the list begins on the page. */
function useTopOf(container: HTMLElement | null): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    if (container === null) return undefined
    const findTop = () => setTop(Math.round(container.getBoundingClientRect().top + window.scrollY))
    findTop()
    // What opens above the list moves it, and makes the page longer.
    const observer = new ResizeObserver(findTop)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [container])
  return top
}

type Nearness = Pick<ShelfInput, 'count' | 'columns' | 'onScreen' | 'onEnd'> & { rows: number }

/** Reports what is on the screen, and that the end is near. */
function useNearness(range: { startIndex: number; endIndex: number } | null, given: Nearness): void {
  const { rows, count, columns, onScreen, onEnd } = given
  const stepOf = (row = 0) => Math.floor((row * columns) / ITEMS_PER_STEP) * ITEMS_PER_STEP
  const first = stepOf(range?.startIndex)
  const last = stepOf(range?.endIndex) + ITEMS_PER_STEP
  // In a task of its own: it renders the whole list again.
  useEffect(() => onScreen({ first, last }), [onScreen, first, last])

  const lastRow = (range?.endIndex ?? 0) + ROWS_AHEAD
  const reportEnd = useEffectEvent(onEnd)
  useEffect(() => {
    if (rows > 0 && lastRow >= rows) reportEnd()
    // A short page may end in the row that was the last one.
  }, [lastRow, rows, count])
}

type Place = { active: number; columns: number; last: number }

function targetOf(key: string, { active, columns, last }: Place): number | undefined {
  const isRightToLeft = document.documentElement.dir === 'rtl'
  const steps: Record<string, number> = {
    ArrowUp: -columns,
    ArrowDown: columns,
    ...(columns > 1 && { ArrowLeft: isRightToLeft ? 1 : -1, ArrowRight: isRightToLeft ? -1 : 1 }),
  }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  const target = step === undefined ? undefined : active + step
  return target !== undefined && target >= 0 && target <= last ? target : undefined
}

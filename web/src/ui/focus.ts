import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'

const MOST_FRAMES = 30

/**
 * Moves the focus as soon as possible. An element that is closing may stay for a frame or two, and an open dialog keeps
 * the focus until it closes. A press or a key in the meantime says that the user is elsewhere already, and so does a field
 * that has the focus and stays: the answer to an earlier press may come while the user types in it.
 */
export function focusSoon(
  target: RefObject<HTMLElement | null>,
  options: FocusOptions = {},
  frames: number = MOST_FRAMES,
): void {
  const waiting = new AbortController()
  const { signal } = waiting
  for (const input of ['pointerdown', 'keydown'])
    document.addEventListener(input, () => waiting.abort(), { capture: true, signal })
  const tryIn = (framesLeft: number) =>
    requestAnimationFrame(() => {
      if (signal.aborted) return
      if (document.activeElement?.matches('input, textarea') !== true) target.current?.focus(options)
      const isThere = target.current !== null && document.activeElement === target.current
      if (isThere || framesLeft === 1) waiting.abort()
      else tryIn(framesLeft - 1)
    })
  tryIn(frames)
}

/**
 * A ref that calls back if its element leaves the page with the focus in it. A browser takes the focus from a button that
 * is disabled while it works, so that button counts as focused until something else is.
 */
export function useFocusLost(onFocusLost: () => void): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  const lose = useEffectEvent(onFocusLost)
  useLayoutEffect(() => {
    const element = ref.current
    let last: Element | null = null
    element?.addEventListener('focusin', ({ target }) => {
      last = target as Element
    })
    return () => {
      const { activeElement, body } = document
      const focused = activeElement === body && last?.matches(':disabled') === true ? last : activeElement
      if (element?.contains(focused) === true) lose()
    }
  }, [])
  return ref
}

/** Calls back if the focus is lost when a list becomes shorter, because it was on the removed item. */
export function useFocusLostByRemoval(count: number, onFocusLost: () => void): void {
  const lastCount = useRef(count)
  useEffect(() => {
    if (count < lastCount.current && document.activeElement === document.body) onFocusLost()
    lastCount.current = count
  }, [count, onFocusLost])
}

import { type RefObject, useLayoutEffect, useRef } from 'react'

/** Gives a ref: calls back if its element leaves the page with the focus in it. */
export function useFocusLost(onFocusLost: () => void): RefObject<HTMLElement | null> {
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const element = ref.current
    return () => {
      if (element?.contains(document.activeElement) === true) onFocusLost()
    }
  }, [onFocusLost])
  return ref
}

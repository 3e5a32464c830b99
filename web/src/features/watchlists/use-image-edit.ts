import { IMAGE_SUCCESS_CLOSES_AFTER_MS } from '@marquee/contract/limits'
import { type RefObject, useEffect, useRef, useState } from 'react'

import { focusSoon } from '#web/ui/focus-soon.ts'

type ImageView = { step: 'shown' } | { step: 'editing' } | { step: 'done'; what: 'uploaded' | 'removed' }

export type ImageEdit = {
  view: ImageView
  /** Where the editing goes on: it holds the focus between two steps. */
  place: RefObject<HTMLDivElement | null>
  /** For the button that opens the editor, wherever it stands: the focus comes back to it. */
  opener: (button: HTMLButtonElement | null) => void
  open: () => void
  close: () => void
  done: (what: 'uploaded' | 'removed') => void
}

/** The steps of changing the image of a watchlist; what was done is told for 2 seconds (spec sections 2 and 9). */
export function useImageEdit(): ImageEdit {
  const [view, setView] = useState<ImageView>({ step: 'shown' })
  const place = useRef<HTMLDivElement>(null)
  const takesFocusBack = useRef(false)
  const isDone = view.step === 'done'

  const close = () => {
    const { activeElement } = document
    // Who has gone on to something else meanwhile stays there.
    takesFocusBack.current = activeElement === document.body || place.current?.contains(activeElement) === true
    setView({ step: 'shown' })
  }

  useEffect(() => {
    if (!isDone) return undefined
    const timer = setTimeout(close, IMAGE_SUCCESS_CLOSES_AFTER_MS)
    return () => clearTimeout(timer)
  }, [isDone])

  return {
    view,
    place,
    opener: (button) => {
      if (button === null || !takesFocusBack.current) return
      takesFocusBack.current = false
      button.focus()
    },
    open: () => setView({ step: 'editing' }),
    close,
    done: (what) => {
      setView({ step: 'done', what })
      focusSoon(place)
    },
  }
}

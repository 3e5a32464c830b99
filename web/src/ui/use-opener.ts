import { type RefObject, useRef, useState } from 'react'

import { focusSoon } from './focus.ts'

type Opener<E extends HTMLElement> = {
  isOpen: boolean
  open: () => void
  close: () => void
  /** For what has the focus afterwards: the button that opens the part, or the place around it. */
  ref: RefObject<E | null>
}

/** A part that replaces its button. When it closes, the focus returns. */
export function useOpener<E extends HTMLElement = HTMLButtonElement>(isOpenAtFirst?: () => boolean): Opener<E> {
  const [isOpen, setOpen] = useState(isOpenAtFirst ?? false)
  const ref = useRef<E>(null)
  return {
    isOpen,
    open: () => setOpen(true),
    close: () => {
      setOpen(false)
      focusSoon(ref)
    },
    ref,
  }
}

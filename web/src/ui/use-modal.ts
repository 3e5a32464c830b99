import { type MouseEvent, type PointerEvent, type SyntheticEvent, useLayoutEffect, useRef } from 'react'

import { useBackCloses } from './use-back-closes.ts'

/**
 * The props of the browser's own modal dialog, which keeps the focus inside. `ask` is called for Escape, the back button or
 * gesture, and a press that begins and ends outside; the caller decides whether the dialog closes.
 */
export function useModal(ask: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  const hasBegunOutside = useRef(false)
  useBackCloses(ask)
  useLayoutEffect(() => {
    const dialog = ref.current
    const focused = document.activeElement
    dialog?.showModal()
    // The browser moves the focus to the first field.
    if (focused instanceof HTMLElement && dialog?.contains(focused) === true) focused.focus()
    // The browser returns the focus only if the dialog is closed before it is removed.
    return () => dialog?.close()
  }, [])
  return {
    ref,
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      // A file chooser in it can be cancelled, too.
      if (event.target !== event.currentTarget) return
      event.preventDefault()
      ask()
    },
    onClose: ({ currentTarget }: SyntheticEvent<HTMLDialogElement>) => {
      // Browsers close it at the second Escape, but the caller decides.
      if (currentTarget.open) return
      currentTarget.showModal()
      ask()
    },
    onPointerDown: ({ target, currentTarget }: PointerEvent<HTMLDialogElement>) => {
      hasBegunOutside.current = target === currentTarget
    },
    onClick: ({ target, currentTarget }: MouseEvent<HTMLDialogElement>) => {
      // Selecting a text may end outside.
      if (target === currentTarget && hasBegunOutside.current) ask()
    },
  }
}

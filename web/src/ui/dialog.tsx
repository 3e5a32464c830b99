import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string | undefined
  children?: ReactNode
  /** The buttons, the safe one first: it gets the focus. */
  actions: ReactNode
}

/** A question over the page. Escape and a press outside close it; the focus goes back to where it was. */
export function Dialog({ isOpen, ...question }: DialogProps) {
  return isOpen ? createPortal(<ModalDialog {...question} />, document.body) : null
}

/** The browser's own modal dialog: it keeps the focus inside and the rest of the page out of reach. */
function ModalDialog({ onClose, title, description, children, actions }: Omit<DialogProps, 'isOpen'>) {
  const titleId = useId()
  const descriptionId = useId()
  const dialog = useRef<HTMLDialogElement>(null)

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // The browser brings the focus back only where the dialog is closed before it is removed.
    return () => element?.close()
  }, [])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a press outside is the pointer's way; Escape is the keyboard's
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : descriptionId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close it all the same at the second Escape; whether it may go is the caller's to say.
        if (currentTarget.open) return
        currentTarget.showModal()
        onClose()
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
      className="m-auto w-[calc(100%-2rem)] max-w-md rounded-panel border border-line bg-surface text-text shadow-float backdrop:bg-backdrop max-sm:mb-4"
    >
      <div className="p-5">
        <h2 id={titleId} className="text-xl">
          {title}
        </h2>
        {description !== undefined && (
          <p id={descriptionId} className="mt-2 text-muted">
            {description}
          </p>
        )}
        {children}
        <div className="mt-5 flex flex-wrap justify-end gap-3">{actions}</div>
      </div>
    </dialog>
  )
}

import { type ReactNode, useId } from 'react'
import { createPortal } from 'react-dom'

import { classes } from './classes.ts'
import { useModal } from './use-modal.ts'

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string | undefined
  /** Hides the rest of the page. */
  isFull?: boolean
  children?: ReactNode
  /** The buttons. The first one is the safe one and gets the focus. */
  actions: ReactNode
}

/** A modal dialog. Escape, a press outside and the back button close it. The focus returns to where it was. */
export function Dialog({ isOpen, ...question }: DialogProps) {
  return isOpen ? createPortal(<ModalDialog {...question} />, document.body) : null
}

function ModalDialog({ onClose, title, description, isFull = false, children, actions }: Omit<DialogProps, 'isOpen'>) {
  const titleId = useId()
  const descriptionId = useId()
  const modal = useModal(onClose)
  return (
    <dialog
      {...modal}
      aria-labelledby={titleId}
      aria-describedby={description === undefined ? undefined : descriptionId}
      className={classes(
        'text-text',
        isFull
          ? 'm-0 h-dvh max-h-none w-full max-w-none bg-canvas backdrop:bg-canvas'
          : 'm-auto w-[calc(100%-2rem)] max-w-md rounded-panel border border-line bg-surface shadow-float backdrop:bg-backdrop max-sm:mb-4',
      )}
    >
      <div className={classes('p-5', isFull && 'mx-auto max-w-xl')}>
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

import { Description, Dialog as HeadlessDialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import type { ReactNode } from 'react'

type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: string | undefined
  children?: ReactNode
  /** The buttons, the safe one first; the one with `data-autofocus` gets the focus. */
  actions: ReactNode
}

/** A question over the page. Escape and a press outside close it; the focus goes back to where it was. */
export function Dialog({ isOpen, onClose, title, description, children, actions }: DialogProps) {
  return (
    <HeadlessDialog open={isOpen} onClose={onClose} className="relative z-50">
      <DialogBackdrop className="fixed inset-0 bg-backdrop" />
      <div className="fixed inset-0 flex items-end justify-center overflow-y-auto p-4 sm:items-center">
        <DialogPanel className="w-full max-w-md rounded-panel border border-line bg-surface p-5 shadow-float">
          <DialogTitle className="text-xl">{title}</DialogTitle>
          {description !== undefined && <Description className="mt-2 text-muted">{description}</Description>}
          {children}
          <div className="mt-5 flex flex-wrap justify-end gap-3">{actions}</div>
        </DialogPanel>
      </div>
    </HeadlessDialog>
  )
}

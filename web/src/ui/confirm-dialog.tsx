import type { ReactNode } from 'react'

import { Banner } from './banner.tsx'
import { Button, type ButtonTone } from './button.tsx'
import { Dialog } from './dialog.tsx'

type ConfirmDialogProps = {
  isOpen: boolean
  title: string
  /** What will happen, and what will be lost. */
  description: string
  confirmLabel: string
  cancelLabel: string
  tone?: ButtonTone
  isBusy: boolean
  /** Why it failed. The dialog stays open. */
  failure?: ReactNode
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before an action that cannot be undone. The safe answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, description, confirmLabel, cancelLabel, tone = 'danger' } = props
  const { isBusy, failure, onConfirm, onCancel } = props
  return (
    <Dialog
      isOpen={isOpen}
      // A running action cannot be cancelled.
      onClose={() => {
        if (!isBusy) onCancel()
      }}
      title={title}
      description={description}
      actions={
        <>
          <Button tone="quiet" data-autofocus disabled={isBusy} onClick={onCancel}>
            {cancelLabel}
          </Button>
          <Button tone={tone} busy={isBusy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {failure !== undefined && (
        <div className="mt-4">
          <Banner tone="error">{failure}</Banner>
        </div>
      )}
    </Dialog>
  )
}

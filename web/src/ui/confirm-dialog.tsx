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
  /** The mutation that `onConfirm` starts. If it fails, the dialog stays open and says why. */
  action: { isPending: boolean; error: Error | null; reset: () => void }
  failure: (error: Error) => ReactNode
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before an action that cannot be undone. The safe answer has the focus. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { isOpen, title, description, confirmLabel, cancelLabel, tone = 'danger' } = props
  const { action, failure, onConfirm, onCancel } = props
  const { isPending: isBusy, error } = action
  const cancel = () => {
    if (error !== null) action.reset()
    onCancel()
  }
  return (
    <Dialog
      isOpen={isOpen}
      // A running action cannot be cancelled.
      onClose={() => {
        if (!isBusy) cancel()
      }}
      title={title}
      description={description}
      actions={
        <>
          <Button tone="quiet" data-autofocus disabled={isBusy} onClick={cancel}>
            {cancelLabel}
          </Button>
          <Button tone={tone} busy={isBusy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {error !== null && (
        <div className="mt-4">
          <Banner tone="error">{failure(error)}</Banner>
        </div>
      )}
    </Dialog>
  )
}

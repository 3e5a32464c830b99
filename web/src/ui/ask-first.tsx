import { type ComponentProps, useState } from 'react'

import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

type Question = Omit<ComponentProps<typeof ConfirmDialog>, 'isOpen' | 'tone' | 'onConfirm' | 'onCancel'>

type AskFirstProps = Question &
  Omit<ComponentProps<typeof Button>, keyof Question | 'onClick' | 'children'> & {
    /** The text of the button. */
    label: string
    /** `close` closes the question, for when the action has succeeded. */
    onConfirm: (close: () => void) => void
  }

/** A button that asks before it acts. */
export function AskFirst(props: AskFirstProps) {
  const { label, title, description, confirmLabel, cancelLabel, action, failure, onConfirm, ...button } = props
  const [isAsking, setAsking] = useState(false)
  const close = () => setAsking(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={title}
        description={description}
        confirmLabel={confirmLabel}
        cancelLabel={cancelLabel}
        action={action}
        failure={failure}
        onConfirm={() => onConfirm(close)}
        onCancel={close}
      />
    </>
  )
}

import { Button } from './button.tsx'

type FormButtonsProps = {
  submitLabel: string
  cancelLabel: string
  isBusy: boolean
  /** Only a complete form can be sent. */
  isComplete?: boolean
  /** Undefined if the form cannot be left. */
  onCancel: (() => void) | undefined
  /** What happens while the form is being sent, if that may take long. */
  busyText?: string
}

/** The last row of a form: it sends the form, or leaves it while it is not being sent. */
export function FormButtons(props: FormButtonsProps) {
  const { submitLabel, cancelLabel, isBusy, isComplete = true, onCancel, busyText } = props
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button tone="primary" type="submit" busy={isBusy} disabled={!isComplete}>
        {submitLabel}
      </Button>
      {onCancel !== undefined && (
        <Button tone="quiet" disabled={isBusy} onClick={onCancel}>
          {cancelLabel}
        </Button>
      )}
      {busyText !== undefined && <output className="text-sm text-muted empty:hidden">{isBusy && busyText}</output>}
    </div>
  )
}

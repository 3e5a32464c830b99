import { Button } from './button.tsx'

type FormButtonsProps = {
  submitLabel: string
  cancelLabel: string
  isBusy: boolean
  /** Only a complete form can be sent. */
  isComplete?: boolean
  /** Undefined if the form cannot be left. */
  onCancel: (() => void) | undefined
}

/** The last row of a form: it sends the form, or leaves it while it is not being sent. */
export function FormButtons({ submitLabel, cancelLabel, isBusy, isComplete = true, onCancel }: FormButtonsProps) {
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
    </div>
  )
}

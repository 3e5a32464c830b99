import { type ChangeEvent, type ReactNode, useId, useState } from 'react'

import { classes } from './classes.ts'
import { FieldError, fieldWiring, type FieldTexts } from './field.tsx'
import { useIncomingFiles } from './use-incoming-files.ts'

type FilePickerProps = FieldTexts & {
  name: string
  accept: string
  required?: boolean | undefined
  disabled?: boolean
  /** The picker takes the focus, because the user opened it. */
  takesFocus?: boolean
  onPick: (file: File) => void
  /** The layout of the target for drops. */
  className: string
  /** An icon or a preview. */
  before: ReactNode
  after?: ReactNode
}

/** Lets the user choose, drop or paste a file. Dropped and pasted files may be of any type, so the caller checks them. */
export function FilePicker(props: FilePickerProps) {
  const { label, hint, error, name, accept, required, disabled, takesFocus = false, onPick, className } = props
  const id = useId()
  const [isOver, setOver] = useState(false)
  useIncomingFiles(onPick)

  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    if (file !== undefined) onPick(file)
    // The same file can be chosen again.
    target.value = ''
  }

  return (
    <div className="flex flex-col gap-1.5">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is the pointer's way only; the input inside is the way for all */}
      <label
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={() => setOver(false)}
        className={classes(
          'flex items-center border border-dashed border-control-edge bg-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          className,
          isOver && 'border-accent bg-raised',
          error !== undefined && 'border-danger',
        )}
      >
        {props.before}
        <span className="font-semibold">{label}</span>
        {props.after}
        <input
          {...fieldWiring(id, { hint, error })}
          type="file"
          name={name}
          accept={accept}
          required={required}
          disabled={disabled}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the picker opens where its button was pressed
          autoFocus={takesFocus}
          onChange={change}
          className="sr-only"
        />
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

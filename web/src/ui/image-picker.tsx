import { ImageUp } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'

import { classes } from './classes.ts'
import { FieldError, fieldWiring, type FieldTexts } from './field.tsx'
import { Spinner } from './spinner.tsx'
import { useIncomingFiles } from './use-incoming-files.ts'

type ImagePickerProps = FieldTexts & {
  name: string
  required?: boolean
  /** The picker takes the focus, because the user opened it. */
  takesFocus?: boolean
  /** The text while a file is being read. */
  busyLabel?: string | undefined
  onPick: (file: File) => void
  /** The chosen image, and its alternative text. */
  preview?: { src: string; alt: string } | undefined
}

/**
 * Lets the user choose, drop or paste an image. Dropped and pasted files may be of any type, so the caller checks them.
 */
export function ImagePicker(props: ImagePickerProps) {
  const { label, hint, error, name, required, takesFocus = false, busyLabel, onPick, preview } = props
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
          'flex min-h-24 items-center gap-4 rounded-control border border-dashed border-control-edge bg-surface p-4 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
          isOver && 'border-accent bg-raised',
          error !== undefined && 'border-danger',
        )}
      >
        {preview === undefined ? (
          <ImageUp aria-hidden className="size-7 shrink-0 text-muted" />
        ) : (
          <img
            src={preview.src}
            alt={preview.alt}
            className="h-24 w-16 shrink-0 rounded-poster bg-raised object-cover"
          />
        )}
        <span className="font-semibold">{label}</span>
        {busyLabel !== undefined && <Spinner label={busyLabel} />}
        <input
          {...fieldWiring(id, { hint, error })}
          type="file"
          name={name}
          accept="image/*"
          required={required}
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

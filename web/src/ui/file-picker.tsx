import { ImageUp } from 'lucide-react'
import { type ChangeEvent, type DragEvent, useId, useState } from 'react'

import { classes } from './classes.ts'
import { FieldError, fieldWiring, type FieldTexts } from './field.tsx'
import { Spinner } from './spinner.tsx'

type FilePickerProps = FieldTexts & {
  name: string
  /** As in the `accept` attribute: what the browser's dialog offers. What is dropped is not held to it. */
  accept: string
  required?: boolean
  /** While a file is being read: words that say so. */
  busyLabel?: string | undefined
  onPick: (file: File) => void
  /** What was chosen: the URL of an image, and words for those who do not see it. */
  preview?: { src: string; alt: string } | undefined
}

/** A place to choose a file or drop one. The caller decides whether it will do. */
export function FilePicker({
  label,
  hint,
  error,
  name,
  accept,
  required,
  busyLabel,
  onPick,
  preview,
}: FilePickerProps) {
  const id = useId()
  const [isOver, setOver] = useState(false)

  const pick = (file: File | undefined) => {
    if (file !== undefined) onPick(file)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    pick(event.dataTransfer.files[0])
  }
  const change = ({ target }: ChangeEvent<HTMLInputElement>) => {
    pick(target.files?.[0])
    // So that the same file can be chosen again after it was mended.
    target.value = ''
  }

  return (
    <div className="flex flex-col gap-1.5">
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is the pointer's way only; the input inside is the way for all */}
      <label
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
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
          accept={accept}
          required={required}
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

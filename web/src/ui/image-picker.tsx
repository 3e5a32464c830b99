import { ImageUp } from 'lucide-react'

import type { FieldTexts } from './field.tsx'
import { FilePicker } from './file-picker.tsx'
import { Spinner } from './spinner.tsx'

type ImagePickerProps = FieldTexts & {
  name: string
  required?: boolean
  takesFocus?: boolean
  /** The text while a file is being read. */
  busyLabel?: string | undefined
  onPick: (file: File) => void
  /** The chosen image, and its alternative text. */
  preview?: { src: string; alt: string } | undefined
}

/** Lets the user choose, drop or paste an image, and shows it. */
export function ImagePicker({ busyLabel, preview, ...picker }: ImagePickerProps) {
  return (
    <FilePicker
      {...picker}
      accept="image/*"
      className="min-h-24 gap-4 rounded-control p-4"
      before={
        preview === undefined ? (
          <ImageUp aria-hidden className="size-7 shrink-0 text-muted" />
        ) : (
          <img
            src={preview.src}
            alt={preview.alt}
            className="h-24 w-16 shrink-0 rounded-poster bg-raised object-cover"
          />
        )
      }
      after={busyLabel !== undefined && <Spinner label={busyLabel} />}
    />
  )
}

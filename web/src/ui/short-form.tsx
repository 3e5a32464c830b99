import type { ComponentProps, ReactNode } from 'react'

import { FormButtons } from './form-buttons.tsx'

type ShortFormProps = ComponentProps<typeof FormButtons> & {
  noValidate?: boolean
  onSubmit: () => void
  /** The fields, and why the form was not accepted. */
  children: ReactNode
}

/** A few fields above the buttons that send them, or leave the form. */
export function ShortForm({ noValidate = false, onSubmit, children, ...buttons }: ShortFormProps) {
  return (
    <form
      noValidate={noValidate}
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (buttons.isComplete !== false && !buttons.isBusy) onSubmit()
      }}
    >
      {children}
      <FormButtons {...buttons} />
    </form>
  )
}

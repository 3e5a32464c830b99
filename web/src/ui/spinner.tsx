import { LoaderCircle } from 'lucide-react'

type SpinnerProps = {
  /** What is loading, for screen readers. Leave it out if a text beside the spinner says so. */
  label?: string | undefined
}

/** A spinner. With a label it is announced as a status. */
export function Spinner({ label }: SpinnerProps) {
  const circle = <LoaderCircle aria-hidden className="size-5 shrink-0 animate-spin" />
  if (label === undefined) return circle
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the reset of a form replaces the content of an output element
    <span role="status" className="inline-flex items-center gap-2 text-muted">
      {circle}
      <span>{label}</span>
    </span>
  )
}

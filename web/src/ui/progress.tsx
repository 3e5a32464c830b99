type ProgressProps = {
  label: string
  /** From 0 to 1, undefined if unknown. */
  value: number | undefined
}

/** A progress bar with its name above. */
export function Progress({ label, value }: ProgressProps) {
  return (
    <label className="flex flex-col gap-1.5 text-sm font-semibold">
      {label}
      <progress
        // Without a value the bar is indeterminate.
        {...(value === undefined ? {} : { value })}
        max={1}
        className="h-2.5 w-full accent-accent"
      />
    </label>
  )
}

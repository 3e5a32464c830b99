type ProgressProps = {
  label: string
  /** From 0 to 1; undefined while it cannot be told how far it is. */
  value: number | undefined
}

/** How far something is, as a bar with its name above. */
export function Progress({ label, value }: ProgressProps) {
  return (
    <label className="flex flex-col gap-1.5 text-sm font-semibold">
      {label}
      <progress
        // Without a value the bar shows that something goes on.
        {...(value === undefined ? {} : { value })}
        max={1}
        className="h-2.5 w-full accent-accent"
      />
    </label>
  )
}

import { useId } from 'react'

import { useClicked } from './checkbox.tsx'
import { fieldWiring } from './field.tsx'

type SwitchProps = {
  label: string
  hint?: string | undefined
  name: string
  isOn: boolean
  isBusy?: boolean
  onChange: (isOn: boolean) => void
}

/** A switch that takes effect at once. */
export function Switch({ label, hint, name, isOn, isBusy = false, onChange }: SwitchProps) {
  const id = useId()
  const [isShownOn, setShownOn] = useClicked(isOn)
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={id} className="flex min-h-9 items-center gap-3 font-semibold pointer-coarse:min-h-11">
        <span className="flex-1">{label}</span>
        <input
          {...fieldWiring(id, { hint })}
          type="checkbox"
          role="switch"
          aria-checked={isShownOn}
          name={name}
          checked={isShownOn}
          aria-busy={isBusy || undefined}
          onChange={({ target }) => {
            if (isBusy) return
            setShownOn(target.checked)
            onChange(target.checked)
          }}
          className="relative h-6 w-10 shrink-0 appearance-none rounded-full border border-control-edge bg-raised transition-colors before:absolute before:top-0.5 before:start-0.5 before:size-4.5 before:rounded-full before:bg-control-edge before:transition-transform checked:border-accent checked:bg-accent checked:before:translate-x-4 rtl:checked:before:-translate-x-4 checked:before:bg-on-accent aria-busy:opacity-55"
        />
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

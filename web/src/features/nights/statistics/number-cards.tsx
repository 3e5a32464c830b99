import { numberText } from '#web/i18n/numbers.ts'
import type { ReactNode } from 'react'

export function NumberCards({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl aria-label={label} className="grid grid-cols-2 gap-3 sm:grid-cols-4 sm:gap-4">
      {children}
    </dl>
  )
}

export function NumberCard({ value, name, note }: { value: number; name: string; note?: ReactNode }) {
  return (
    <div className="flex flex-col-reverse justify-end rounded-panel border border-line bg-surface p-4">
      <dt className="text-sm text-muted">
        {name}
        {note && <span className="block">{note}</span>}
      </dt>
      <dd className="font-display text-3xl font-semibold tabular-nums">{numberText(value)}</dd>
    </div>
  )
}

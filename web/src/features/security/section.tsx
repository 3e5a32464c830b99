import { type ReactNode, useId } from 'react'

import { Panel } from '#web/ui/panel.tsx'

type SectionProps = { title: string; children: ReactNode }

/** One matter of the security screen. */
export function Section({ title, children }: SectionProps) {
  const id = useId()
  return (
    <Panel aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="text-xl">
        {title}
      </h2>
      {children}
    </Panel>
  )
}

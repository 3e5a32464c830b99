import type { ComponentProps } from 'react'

import { classes } from './classes.ts'

type PanelProps = ComponentProps<'section'>

/** A surface on the canvas. With `aria-label` or `aria-labelledby` it is a region. */
export function Panel({ className, children, ...rest }: PanelProps) {
  return (
    <section {...rest} className={classes('rounded-panel border border-line bg-surface p-4 sm:p-5', className)}>
      {children}
    </section>
  )
}

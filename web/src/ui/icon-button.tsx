import type { ComponentProps, ReactNode } from 'react'

import { classes } from './classes.ts'

type Named = { 'aria-label': string; 'aria-labelledby'?: never } | { 'aria-labelledby': string; 'aria-label'?: never }

type IconButtonProps = Omit<ComponentProps<'button'>, 'type' | 'children' | 'aria-label' | 'aria-labelledby'> &
  Named & { icon: ReactNode }

/** A button that is only an icon. Its name is required. */
export function IconButton({ icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      className={classes(
        'inline-flex size-9 shrink-0 items-center justify-center rounded-control text-muted transition-colors enabled:hover:bg-raised enabled:hover:text-text disabled:opacity-55 pointer-coarse:size-11 [&>svg]:size-4.5',
        className,
      )}
    >
      {icon}
    </button>
  )
}

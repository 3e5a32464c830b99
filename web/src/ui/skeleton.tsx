import { classes } from './classes.ts'

/** A still grey shape of what is coming; its size comes from `className`. Silent: a spinner or a text announces. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-control bg-raised', className)} />
}

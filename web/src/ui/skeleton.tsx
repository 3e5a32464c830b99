import { classes } from './classes.ts'

/** A grey placeholder while something loads. Its size comes from `className`. It announces nothing. */
export function Skeleton({ className }: { className: string }) {
  return <div aria-hidden className={classes('animate-pulse rounded-control bg-raised', className)} />
}

import { features } from '#web/config.ts'
import { WHERE_LINE } from '#web/features/movies/where/card-where.tsx'
import { classes } from '#web/ui/classes.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import type { NightWhereProps } from './night-where.tsx'

const NightWhereLine = lazyPart({
  load: async () => (await import('./night-where.tsx')).NightWhereLine,
  Failed: () => null,
})

/** Where a movie drawn tonight can be watched. `className` sets another size, as on the big screen. */
export function NightWhere({ className, ...props }: NightWhereProps & { className?: string }) {
  const { watchProviders, mediaServers } = features()
  if (watchProviders !== true && mediaServers !== true) return null
  return (
    <div className={classes(className ?? WHERE_LINE)}>
      <NightWhereLine {...props} />
    </div>
  )
}

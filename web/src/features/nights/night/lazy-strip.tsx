import { Skeleton } from '#web/ui/skeleton.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** Loads when there is a night to show. */
export const NightStrip = lazyPart({
  load: async () => (await import('./night-strip.tsx')).NightStrip,
  Loading: () => <Skeleton className="h-20" />,
  Failed: () => null,
})

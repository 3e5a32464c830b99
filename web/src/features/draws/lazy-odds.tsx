import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Loads when it is first shown. */
export const OddsPanel = lazyPart({
  load: async () => (await import('./odds-panel.tsx')).OddsPanel,
  Loading: () => <Skeleton className="h-40" />,
  Failed: PartFailed,
})

import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The media servers of a watchlist, on installations that connect to some. */
export const ServerSection = lazyPart({
  load: async () => (await import('./server-manager.tsx')).ServerManager,
  Failed: PartFailed,
})

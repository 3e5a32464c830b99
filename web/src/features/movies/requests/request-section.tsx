import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

/** The server that a watchlist asks for movies, on installations that connect to some. */
export const RequestSection = lazyPart({
  load: async () => (await import('./request-manager.tsx')).RequestManager,
  Failed: PartFailed,
})

import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

export const ViewingPanel = lazyPart({
  load: async () => (await import('./viewing-panel.tsx')).ViewingPanel,
  Failed: PartFailed,
})

import { lazyPart } from '#web/ui/lazy-part.tsx'

/** What waits in one place of a screen, or was refused. */
export const WaitingItems = lazyPart({
  load: async () => (await import('./waiting-parts.tsx')).WaitingItems,
  Failed: () => null,
})

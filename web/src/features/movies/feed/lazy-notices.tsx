import { lazyPart } from '#web/ui/lazy-part.tsx'

export const RevealNotice = lazyPart({
  load: async () => (await import('./notices.tsx')).RevealNotice,
  Failed: () => null,
})

export const UndoBar = lazyPart({
  load: async () => (await import('./notices.tsx')).UndoBar,
  Failed: () => null,
})

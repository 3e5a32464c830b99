import { lazyPart } from '#web/ui/lazy-part.tsx'

export const WaitingLine = lazyPart({
  load: async () => (await import('./waiting-parts.tsx')).WaitingLine,
  Failed: () => null,
})

export const WaitingComments = lazyPart({
  load: async () => (await import('./waiting-parts.tsx')).WaitingComments,
  Failed: () => null,
})

export const WaitingMovies = lazyPart({
  load: async () => (await import('./waiting-parts.tsx')).WaitingMovies,
  Failed: () => null,
})

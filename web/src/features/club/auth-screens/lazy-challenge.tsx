import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The challenges of a sign-in. They load when needed, because most users see none. */
export const SignInChallenge = lazyPart({
  load: async () => (await import('./sign-in-challenge.tsx')).SignInChallenge,
  Loading: () => <Skeleton className="h-60" />,
  Failed: PartFailed,
})

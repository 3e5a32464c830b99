import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

export const CommentForm = lazyPart({
  load: async () => (await import('./comment-form.tsx')).CommentForm,
  Loading: () => <Skeleton className="h-36" />,
  Failed: PartFailed,
})

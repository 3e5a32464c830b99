import { Skeleton } from '#web/ui/skeleton.tsx'

/** The shape of a movie card before it arrives. */
export function CardSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-4 rounded-panel border border-line p-3 sm:flex-row sm:gap-5 sm:p-4">
      <div className="sm:w-42 sm:shrink-0 md:w-48">
        <Skeleton className="aspect-2/3 max-h-[60svh] w-full sm:max-h-none" />
      </div>
      <div className="flex flex-1 flex-col gap-3">
        <Skeleton className="h-6 w-40" />
        <Skeleton className="h-8 w-3/4" />
        <Skeleton className="h-5 w-full" />
        <Skeleton className="h-5 w-2/3" />
      </div>
    </div>
  )
}

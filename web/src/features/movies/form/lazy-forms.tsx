import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

const FormLoading = () => <Skeleton className="h-160" />

export const AddMovieForm = lazyPart({
  load: async () => (await import('./card-forms.tsx')).AddMovieForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

export const EditCardForm = lazyPart({
  load: async () => (await import('./card-forms.tsx')).EditCardForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

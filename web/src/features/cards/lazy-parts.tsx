import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { PartFailed } from './part-failed.tsx'

/** What no screen needs to appear, fetched when it is about to be shown. */
const FormLoading = () => <Skeleton className="h-160" />

export const AddMovieForm = lazyPart({
  load: async () => (await import('./add-movie-form.tsx')).AddMovieForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

export const EditCardForm = lazyPart({
  load: async () => (await import('./edit-card-form.tsx')).EditCardForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

export const DeleteCardDialog = lazyPart({
  load: async () => (await import('./delete-card-dialog.tsx')).DeleteCardDialog,
  Failed: PartFailed,
})

const PlainText = ({ text }: { text: string }) => <>{text}</>

export const LinkedText = lazyPart({
  load: async () => (await import('./linked-text.tsx')).LinkedText,
  Loading: PlainText,
  Failed: PlainText,
})

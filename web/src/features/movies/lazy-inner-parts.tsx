import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Parts of parts that load late themselves, which must not import their own file. */
const FormLoading = () => <Skeleton className="h-160" />

const PlainText = ({ text }: { text: string }) => <>{text}</>

export const EditCardForm = lazyPart({
  load: async () => (await import('./form/card-forms.tsx')).EditCardForm,
  Loading: FormLoading,
  Failed: PartFailed,
})

export const DeleteCardDialog = lazyPart({
  load: async () => (await import('./card/delete-card-dialog.tsx')).DeleteCardDialog,
  Failed: PartFailed,
})

export const MentionedText = lazyPart({
  load: async () => (await import('./comments/mentions.tsx')).MentionedText,
  Loading: PlainText,
  Failed: PlainText,
})

export const MentionList = lazyPart({
  load: async () => (await import('./comments/mentions.tsx')).MentionList,
  Failed: () => null,
})

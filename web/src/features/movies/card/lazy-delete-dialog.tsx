import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

export const DeleteCardDialog = lazyPart({
  load: async () => (await import('./delete-card-dialog.tsx')).DeleteCardDialog,
  Failed: PartFailed,
})

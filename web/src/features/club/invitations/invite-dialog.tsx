import { createContext, type ReactNode, use, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { PartFailed } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** The ways to invite, and the invitations without an answer. */
export type InvitePart = 'link' | 'name' | 'waiting'

const InviteParts = lazyPart({
  load: async () => (await import('./invite-parts.tsx')).InviteParts,
  Loading: () => <Skeleton className="mt-4 h-120" />,
  Failed: PartFailed,
})

const OpenInvite = createContext<(part: InvitePart) => void>(() => {})

/** Opens the invite dialog of the watchlist at one of its parts. */
export function useOpenInvite(): (part: InvitePart) => void {
  return use(OpenInvite)
}

type InviteDialogProps = { watchlistId: string; username: string; isOwner: boolean; children: ReactNode }

/** The one dialog with which members invite, for all places of a watchlist inside it. */
export function InviteDialog({ children, ...place }: InviteDialogProps) {
  const { t } = useTranslation('watchlist')
  const [part, setPart] = useState<InvitePart>()
  const close = () => setPart(undefined)
  return (
    <OpenInvite value={setPart}>
      {children}
      <Dialog
        isOpen={part !== undefined}
        title={t('invite.title')}
        onClose={close}
        actions={
          <Button tone="quiet" onClick={close}>
            {t('common:close')}
          </Button>
        }
      >
        {part !== undefined && <InviteParts {...place} first={part} />}
      </Dialog>
    </OpenInvite>
  )
}

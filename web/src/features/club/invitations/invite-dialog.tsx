import { createContext, type ReactNode, use, useState } from 'react'

import { PartFailed } from '#web/ui/banner.tsx'
import { lazyPart } from '#web/ui/lazy-part.tsx'

import type { InvitePart } from './invite-parts.tsx'

const InviteParts = lazyPart({
  load: async () => (await import('./invite-parts.tsx')).InviteParts,
  Failed: ({ onRetry }) => (
    <div className="fixed inset-x-4 bottom-20 z-30 mx-auto max-w-md">
      <PartFailed onRetry={onRetry} />
    </div>
  ),
})

const OpenInvite = createContext<(part: InvitePart) => void>(() => {})

/** Opens the invite dialog of the watchlist at one of its parts. */
export function useOpenInvite(): (part: InvitePart) => void {
  return use(OpenInvite)
}

type InviteDialogProps = { watchlistId: string; username: string; isOwner: boolean; children: ReactNode }

/** The one dialog with which members invite, for all places of a watchlist inside it. */
export function InviteDialog({ children, ...place }: InviteDialogProps) {
  const [part, setPart] = useState<InvitePart>()
  return (
    <OpenInvite value={setPart}>
      {children}
      {part !== undefined && <InviteParts {...place} first={part} onClose={() => setPart(undefined)} />}
    </OpenInvite>
  )
}

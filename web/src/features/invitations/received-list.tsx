import type { ReceivedInvitation } from '@marquee/contract/entities/invitation'
import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { focusSoon } from '#web/ui/focus-soon.ts'

import { ReceivedRow } from './received-row.tsx'

type ReceivedListProps = {
  invitations: readonly ReceivedInvitation[]
  /** The user has joined; goes on to the watchlist. */
  onJoined: (watchlist: Watchlist) => void
}

/** The invitations that wait for the user, each with its two answers. */
export function ReceivedList({ invitations, onJoined }: ReceivedListProps) {
  const { t } = useTranslation('watchlist')
  const place = useRef<HTMLDivElement>(null)
  const [declined, setDeclined] = useState<string>()
  return (
    <div ref={place} tabIndex={-1} className="flex flex-col gap-3 focus:outline-none">
      {declined !== undefined && <Banner tone="success">{t('inbox.declined', { name: declined })}</Banner>}
      {invitations.length === 0 ? (
        <p className="text-muted">{t('inbox.empty')}</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {invitations.map((invitation) => (
            <ReceivedRow
              key={invitation.watchlistId}
              invitation={invitation}
              onJoined={onJoined}
              onDeclined={() => {
                setDeclined(invitation.watchlistName)
                // The button that declined is gone.
                focusSoon(place)
              }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

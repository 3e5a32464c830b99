import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Panel } from '#web/ui/panel.tsx'

import { receivedInvitations } from './queries.ts'
import { ReceivedList } from './received-list.tsx'

/**
 * The invitations that wait, on a screen of their own; not there while there are none. One that was answered here
 * leaves its answer. A failure to load them shows in the inbox of the top bar, not here too.
 */
export function WaitingInvitations({ onJoined }: { onJoined: (watchlist: Watchlist) => void }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const { data: invitations = [] } = useQuery(receivedInvitations())
  const [wasShown, setShown] = useState(false)
  const hasSome = invitations.length > 0
  if (hasSome && !wasShown) setShown(true)
  if (!hasSome && !wasShown) return null
  return (
    <Panel aria-labelledby={headingId} className="mb-6 flex flex-col gap-4 border-accent!">
      <h2 id={headingId} className="text-xl">
        {t('inbox.title')}
      </h2>
      <ReceivedList invitations={invitations} onJoined={onJoined} />
    </Panel>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { focusSoon } from '#web/ui/focus.ts'
import { Spinner } from '#web/ui/spinner.tsx'

import { type Notice, NoticeBanner } from './invite-notice.tsx'
import { PendingList } from './pending-list.tsx'
import { pendingInvitations } from './queries.ts'

/** The invitations without an answer. */
export function WaitingPart({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const list = useRef<HTMLDivElement>(null)
  const query = useQuery(pendingInvitations(watchlistId))
  const { data: pending, isError } = query
  const [notice, setNotice] = useState<Notice>({ of: 'nothing' })
  return (
    <div ref={list} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
      <NoticeBanner notice={notice} onEnd={() => setNotice({ of: 'nothing' })} />
      {isError && <RetryBanner query={query}>{t('pending.failed')}</RetryBanner>}
      {pending === undefined && !isError && <Spinner label={t('inviteParts.loading')} />}
      {pending?.length === 0 && <p className="text-muted">{t('inviteParts.noneWaiting')}</p>}
      {pending !== undefined && (
        <PendingList
          watchlistId={watchlistId}
          pending={pending}
          onShowLink={(invitation) => setNotice({ of: 'link', invitation })}
          onInvited={(invitation) => setNotice({ of: 'sent', invitation })}
          onWithdrawn={(username) => {
            setNotice({ of: 'withdrawn', username })
            // The button that opened the question is gone.
            focusSoon(list)
          }}
        />
      )}
    </div>
  )
}

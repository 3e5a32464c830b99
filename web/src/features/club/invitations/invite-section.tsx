import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { lineLinkStyle } from '#web/ui/classes.ts'

import { InviteByName } from './invite-by-name.tsx'
import { useOpenInvite } from './invite-dialog.tsx'
import { pendingInvitations } from './queries.ts'

/** For members, in the panel of the watchlist: the invite form, and the way to the dialog with the rest. */
export function InviteSection({ watchlistId }: { watchlistId: string }) {
  const { t } = useTranslation('watchlist')
  const headingId = useId()
  const openInvite = useOpenInvite()
  const { data: pending = [] } = useQuery(pendingInvitations(watchlistId))
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <h2 id={headingId} className="font-sans text-sm font-semibold tracking-normal text-muted">
        {t('invite.title')}
      </h2>
      <InviteByName watchlistId={watchlistId} />
      <div className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
        <button type="button" className={lineLinkStyle} onClick={() => openInvite('link')}>
          {t('invite.byLink')}
        </button>
        {pending.length > 0 && (
          <button type="button" className={lineLinkStyle} onClick={() => openInvite('waiting')}>
            {t('invite.waiting', { count: pending.length })}
          </button>
        )}
      </div>
    </section>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link2, Mail } from 'lucide-react'
import { useId } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'

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
      <div className="flex flex-wrap gap-2">
        <Button tone="quiet" size="small" icon={<Link2 aria-hidden />} onClick={() => openInvite('link')}>
          {t('invite.byLink')}
        </Button>
        {pending.length > 0 && (
          <Button tone="quiet" size="small" icon={<Mail aria-hidden />} onClick={() => openInvite('waiting')}>
            {t('invite.waiting', { count: pending.length })}
          </Button>
        )}
      </div>
    </section>
  )
}

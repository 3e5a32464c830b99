import { UserPlus } from 'lucide-react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'

import { useOpenInvite } from './invite-dialog.tsx'

/** For places that are empty while the user is the only member. */
export function InviteFriends() {
  const { t } = useTranslation('watchlist')
  const openInvite = useOpenInvite()
  return (
    <Button tone="quiet" icon={<UserPlus aria-hidden />} onClick={() => openInvite('link')}>
      {t('invite.friends')}
    </Button>
  )
}

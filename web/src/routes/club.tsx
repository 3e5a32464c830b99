import '#web/i18n/club-texts.ts'
import { Settings, UserPlus } from 'lucide-react'
import { Link } from 'react-router'

import { useOpenInvite } from '#web/features/club/invitations/invite-dialog.tsx'
import { MemberSection } from '#web/features/club/watchlists/member-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/club`: the members, and the button to invite more. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist, username, isOwner } = useWatchlistPlace()
  const openInvite = useOpenInvite()
  return (
    <PlaceScreen
      title={t('places.club')}
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to={to.watchlistSettings(watchlist.id)} className={buttonStyle('quiet')}>
            <Settings aria-hidden />
            {t('settings.title')}
          </Link>
          <Button tone="primary" icon={<UserPlus aria-hidden />} onClick={() => openInvite('link')}>
            {t('invite.submit')}
          </Button>
        </div>
      }
    >
      <Panel>
        <MemberSection watchlist={watchlist} username={username} isOwner={isOwner} />
      </Panel>
    </PlaceScreen>
  )
}

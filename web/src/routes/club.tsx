import '#web/i18n/club-texts.ts'
import { Settings } from 'lucide-react'
import { Link } from 'react-router'

import { InviteSection } from '#web/features/club/invitations/invite-section.tsx'
import { LinkSection } from '#web/features/club/join-links/link-section.tsx'
import { MemberSection } from '#web/features/club/watchlists/member-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/club`: the members, and the ways to invite more. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist, username, isOwner } = useWatchlistPlace()
  const { id } = watchlist
  return (
    <PlaceScreen
      title={t('places.club')}
      actions={
        <Link to={to.watchlistSettings(id)} className={buttonStyle('quiet')}>
          <Settings aria-hidden />
          {t('settings.title')}
        </Link>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <Panel>
          <MemberSection watchlist={watchlist} username={username} isOwner={isOwner} />
        </Panel>
        <Panel className="flex flex-col gap-5">
          <InviteSection watchlistId={id} />
          <LinkSection watchlistId={id} username={username} isOwner={isOwner} />
        </Panel>
      </div>
    </PlaceScreen>
  )
}

import { Link, useNavigate } from 'react-router'

import '#web/i18n/notification-texts.ts'
import { WaitingInvitations } from '#web/features/club/invitations/received-list.tsx'
import { useAddJoined } from '#web/features/club/watchlists/creation-mutations.ts'
import { NotificationList } from '#web/features/news/notifications/notification-list.tsx'
import { RefusedMails } from '#web/features/news/notifications/refused-mails.tsx'
import { PushSection } from '#web/features/news/notifications/push-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { classes, linkStyle } from '#web/ui/classes.ts'

import { Screen } from './screen.tsx'
import { useHasLeft } from './use-has-left.ts'

/** `/notifications`: the invitations that wait, and what happened in the watchlists of the user. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const navigate = useNavigate()
  const hasLeft = useHasLeft()
  const addJoined = useAddJoined()
  return (
    <Screen title={t('notifications.title')}>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-4">
        <h1 className="text-3xl sm:text-4xl">{t('notifications.title')}</h1>
        <Link to={to.account('notifications')} className={classes(linkStyle, 'pointer-coarse:py-3')}>
          {t('notifications.settings')}
        </Link>
      </header>
      <RefusedMails />
      <WaitingInvitations
        onJoined={(watchlist) => {
          addJoined(watchlist)
          if (!hasLeft()) void navigate(to.watchlist(watchlist.id))
        }}
      />
      <PushSection />
      <NotificationList />
    </Screen>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import '#web/i18n/notification-texts.ts'
import { PushSection } from '#web/features/news/notifications/push-section.tsx'
import { SettingsForm } from '#web/features/news/notifications/settings-form.tsx'
import { watchlistList } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { linkStyle } from '#web/ui/classes.ts'

import { Screen } from './screen.tsx'

/** `/notifications/settings`: which notifications the user gets, and where. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { data: watchlists } = useQuery(watchlistList())
  return (
    <Screen title={t('notificationSettings.title')}>
      <header className="mb-6 flex flex-col gap-2">
        <h1 className="text-3xl sm:text-4xl">{t('notificationSettings.title')}</h1>
        <p className="text-muted">{t('notificationSettings.description')}</p>
        <Link to={to.notifications()} className={`${linkStyle} self-start`}>
          {t('notifications.title')}
        </Link>
      </header>
      <PushSection withOthers />
      <SettingsForm watchlists={watchlists ?? []} />
    </Screen>
  )
}

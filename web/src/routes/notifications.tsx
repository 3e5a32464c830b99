import '#web/i18n/notification-texts.ts'
import { NotificationList } from '#web/features/notifications/notification-list.tsx'
import { PushSection } from '#web/features/notifications/push-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { Screen } from './screen.tsx'

/** `/notifications`: what happened in the watchlists of the user. */
export function Component() {
  const { t } = useTranslation('watchlist')
  return (
    <Screen title={t('notifications.title')}>
      <h1 className="mb-6 text-3xl sm:text-4xl">{t('notifications.title')}</h1>
      <PushSection />
      <NotificationList />
    </Screen>
  )
}

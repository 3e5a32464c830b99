import { useQuery } from '@tanstack/react-query'

import '#web/i18n/notification-texts.ts'
import { PushSection } from '#web/features/news/notifications/push-section.tsx'
import { RefusedMails } from '#web/features/news/notifications/refused-mails.tsx'
import { SettingsForm } from '#web/features/news/notifications/settings-form.tsx'
import { watchlistList } from '#web/features/club/watchlists/queries.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { AccountScreen } from './account-layout.tsx'

/** `/account/notifications`: which notifications the user gets, and where. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { data: watchlists } = useQuery(watchlistList())
  return (
    <AccountScreen title={t('notificationSettings.title')} description={t('notificationSettings.description')}>
      <RefusedMails />
      <PushSection withOthers />
      <SettingsForm watchlists={watchlists ?? []} />
    </AccountScreen>
  )
}

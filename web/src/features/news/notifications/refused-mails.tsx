import { useQuery } from '@tanstack/react-query'

import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailure } from '#web/api/call-failure.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { notificationSettings, useChangeSettings } from './settings-queries.ts'

/** Says that the user's address refused mails, which are off until it changes or the user tries again. */
export function RefusedMails() {
  const { t } = useTranslation('watchlist')
  const { t: common } = useTranslation()
  const { data } = useQuery(notificationSettings())
  const change = useChangeSettings()
  const email = data?.refusedEmail
  if (email === undefined) return null
  const retry = (
    <Button tone="quiet" size="small" busy={change.isPending} onClick={() => change.mutate({ refusedEmail: null })}>
      {common('actions.tryAgain')}
    </Button>
  )
  return (
    <div className="mb-6">
      <Banner tone="error" action={retry}>
        <CallFailure what={t('notificationSettings.refused', { email })} error={change.error} />
      </Banner>
    </div>
  )
}

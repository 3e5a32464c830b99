import { useQuery } from '@tanstack/react-query'

import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/api/use-reason.ts'
import { Banner, FailureText } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { notificationSettings, useChangeSettings } from './settings-queries.ts'

/** Says that the user's address refused mails, which are off until it changes or the user tries again. */
export function RefusedMails() {
  const { t } = useTranslation('watchlist')
  const { t: common } = useTranslation()
  const reason = useReason()
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
        <FailureText
          what={t('notificationSettings.refused', { email })}
          why={change.isError ? reason('UPDATE_ERROR', change.error) : undefined}
        />
      </Banner>
    </div>
  )
}

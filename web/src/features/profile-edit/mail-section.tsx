import { ENDPOINTS } from '@marquee/contract/endpoints'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'

import { call } from '#web/api/call.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useReason } from '#web/i18n/use-reason.ts'
import { Banner, FailureText, RetryBanner } from '#web/ui/banner.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Panel } from '#web/ui/panel.tsx'

const mailSettings = queryOptions({
  queryKey: ['mail-settings'],
  queryFn: async ({ signal }) => call(ENDPOINTS.getMailSettings, { signal }),
})

/** Which mails the user gets. */
export function MailSection() {
  const { t } = useTranslation('profile')
  const titleId = useId()
  const reason = useReason()
  const client = useQueryClient()
  const { data, isError, isFetching, refetch } = useQuery(mailSettings)
  const save = useMutation({
    mutationFn: async (nights: boolean) => call(ENDPOINTS.setMailSettings, { body: { nights } }),
    onSuccess: (saved) => client.setQueryData(mailSettings.queryKey, saved),
  })
  return (
    <Panel aria-labelledby={titleId} className="flex flex-col gap-3">
      <h2 id={titleId} className="text-xl">
        {t('mails.title')}
      </h2>
      {data === undefined && isError && (
        <RetryBanner onRetry={refetch} isRetrying={isFetching}>
          {t('mails.loadFailed')}
        </RetryBanner>
      )}
      {data !== undefined && (
        <Checkbox
          name="nights"
          label={t('mails.nights')}
          hint={t('mails.nightsHint')}
          // The choice shows before the server has answered.
          checked={save.isPending ? save.variables : data.nights}
          onChange={({ target }) => save.mutate(target.checked)}
        />
      )}
      {save.error !== null && (
        <Banner tone="error">
          <FailureText what={t('mails.saveFailed')} why={reason('UPDATE_ERROR', save.error)} />
        </Banner>
      )}
    </Panel>
  )
}

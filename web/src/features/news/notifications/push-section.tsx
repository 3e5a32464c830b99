import { PUSH_ENDPOINTS } from '@marquee/contract/endpoints/push'
import type { PushDevice } from '@marquee/contract/entities/push'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'

import { call } from '#web/api/call.ts'
import { useChange } from '#web/api/read-again.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useProgramName } from '#web/i18n/program-name.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Switch } from '#web/ui/switch.tsx'

import { readPush, turnPushOff, turnPushOn } from './push.ts'
import { notificationKeys } from './queries.ts'

const push = queryOptions({
  queryKey: notificationKeys.push(),
  queryFn: async ({ signal }) => await readPush(signal),
  // The permission may have changed in the settings of the browser.
  refetchOnWindowFocus: 'always',
  staleTime: 0,
})

type PushSectionProps = {
  /** Whether the other devices of the user are listed, too. */
  withOthers?: boolean
}

/** Turns push messages to this device on and off. Nothing shows until its state is known. */
export function PushSection({ withOthers = false }: PushSectionProps) {
  const { t } = useTranslation('watchlist')
  const { data } = useQuery(push)
  const change = useChange(async (isOn: boolean) => (isOn ? turnPushOn() : turnPushOff()), push.queryKey)
  if (data === undefined) return null
  const { state } = data
  const others = withOthers ? data.others : []
  if (state === 'unsupported' && others.length === 0) return null
  return (
    <Panel className="mb-6 flex flex-col gap-3">
      {state === 'home-screen' && <p className="text-muted">{t('notifications.push.homeScreen')}</p>}
      {state === 'denied' && <p className="text-muted">{t('notifications.push.denied')}</p>}
      {(state === 'on' || state === 'off') && (
        <Switch
          name="push"
          label={t('notifications.push.label')}
          hint={t('notifications.push.hint')}
          isOn={state === 'on'}
          isBusy={change.isPending}
          onChange={(isOn) => change.mutate(isOn)}
        />
      )}
      <CallFailureBanner what={t('notifications.push.failed')} error={change.error} />
      {others.length > 0 && <OtherDevices devices={others} />}
    </Panel>
  )
}

function OtherDevices({ devices }: { devices: readonly PushDevice[] }) {
  const { t } = useTranslation('watchlist')
  const programName = useProgramName()
  const titleId = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const remove = useChange(async (deviceId: string) => {
    await call(PUSH_ENDPOINTS.removePushDevice, { params: { deviceId } })
    // The button that had the focus goes with its row.
    title.current?.focus()
  }, push.queryKey)
  return (
    <section aria-labelledby={titleId}>
      <h2 ref={title} id={titleId} tabIndex={-1} className="text-sm font-semibold text-muted">
        {t('notifications.push.others')}
      </h2>
      <ul aria-labelledby={titleId} className="flex flex-col divide-y divide-line">
        {devices.map(({ id, device, usedAt }) => {
          const name = device === '' ? t('notifications.push.unknown') : programName(device)
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 last:pb-0">
              <span className="min-w-0 flex-1 basis-44">
                <span className="block font-semibold wrap-anywhere">{name}</span>
                <span className="block text-sm text-muted">
                  {usedAt === null ? (
                    t('notifications.push.unused')
                  ) : (
                    <RelativeTime iso={usedAt}>{(moment) => t('notifications.push.used', { moment })}</RelativeTime>
                  )}
                </span>
              </span>
              <Button
                tone="quiet"
                size="small"
                aria-label={t('notifications.push.removeNamed', { name })}
                busy={remove.isPending && remove.variables === id}
                onClick={() => remove.mutate(id)}
              >
                {t('notifications.push.remove')}
              </Button>
            </li>
          )
        })}
      </ul>
      <CallFailureBanner what={t('notifications.push.failed')} error={remove.error} />
    </section>
  )
}

import type { SecurityEvent } from '@marquee/contract/entities/account'
import { useInfiniteQuery } from '@tanstack/react-query'

import { momentText } from '#web/i18n/dates.ts'
import { useProgramName } from '#web/i18n/program-name.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { ShowMore } from '#web/ui/show-more.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { Section } from './section.tsx'
import { activity } from './queries.ts'

const KINDS = [
  'signed-up',
  'signed-in',
  'wrong-password',
  'wrong-code',
  'wrong-passkey',
  'wrong-answer',
  'locked-out',
  'password-changed',
  'password-reset',
  'temporary-password-replaced',
  'email-changed',
  'phone-changed',
  'phone-removed',
  'second-factor-on',
  'second-factor-off',
  'app-set-up',
  'recovery-codes-made',
  'recovery-code-used',
  'passkey-added',
  'passkey-removed',
  'personal-token-made',
  'personal-token-revoked',
  'provider-linked',
  'provider-unlinked',
  'device-remembered',
  'device-not-remembered',
  'device-forgotten',
  'session-ended',
  'session-stolen',
  'signed-out-everywhere',
  'data-exported',
  'admin-made-account',
  'admin-confirmed-account',
  'admin-set-password',
  'admin-required-reset',
  'admin-made-reset-link',
  'admin-disabled-account',
  'admin-enabled-account',
] as const

/** The security events of the account. */
export function ActivitySection() {
  const { t } = useTranslation('auth')
  const { data, isError, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(activity)
  const events = data?.pages.flatMap((page) => page.events)
  return (
    <Section title={t('security.activity.title')}>
      <p className="text-muted">{t('security.activity.description')}</p>
      {isError && <RetryBanner query={{ refetch }}>{t('security.activity.failed')}</RetryBanner>}
      {!isError && events === undefined && <Skeleton className="h-40" />}
      {events?.length === 0 && <p className="text-muted">{t('security.activity.none')}</p>}
      {events !== undefined && events.length > 0 && (
        <ul aria-label={t('security.activity.listLabel')} className="flex flex-col gap-3">
          {events.map((event) => (
            <EventRow key={event.eventId} event={event} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <ShowMore className="self-start" busy={isFetchingNextPage} onMore={fetchNextPage}>
          {t('security.activity.more')}
        </ShowMore>
      )}
    </Section>
  )
}

function EventRow({ event }: { event: SecurityEvent }) {
  const { t } = useTranslation('auth')
  const programName = useProgramName()
  const kind = KINDS.find((known) => known === event.kind)
  const times = event.times > 1 ? t('security.activity.times', { count: event.times }) : ''
  const details = [momentText(event.at), programName(event.client), times].filter((detail) => detail !== '')
  return (
    <li className="flex flex-col">
      <span>{kind === undefined ? t('security.activity.other') : t(`security.activity.kinds.${kind}`)}</span>
      <span className="text-sm text-muted">{details.join(' · ')}</span>
    </li>
  )
}

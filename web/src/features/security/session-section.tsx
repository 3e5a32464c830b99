import type { Session } from '@marquee/contract/entities/account'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { dayText, momentText } from '#web/i18n/dates.ts'
import { identityFailure } from '#web/session/identity-failure.ts'
import { features } from '#web/session/features.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { LoadFailure } from './load-failure.tsx'
import { ownSessions, useEndSession } from './queries.ts'
import { Section } from './section.tsx'
import { SignOutEverywhere } from './sign-out-everywhere.tsx'

/** Where the user is signed in: each can be signed out, or all of them. */
export function SessionSection() {
  const { t } = useTranslation('auth')
  const { accountService } = features()
  return (
    <Section title={t('security.sessions.title')}>
      <p className="text-muted">{t('security.sessions.description')}</p>
      {accountService && <Sessions />}
      <SignOutEverywhere />
    </Section>
  )
}

function Sessions() {
  const { t } = useTranslation('auth')
  const { data: sessions, isError, refetch } = useQuery(ownSessions)
  return (
    <>
      {isError && <LoadFailure text={t('security.sessions.failed')} onRetry={refetch} />}
      {!isError && sessions === undefined && <Skeleton className="h-16" />}
      {sessions !== undefined && (
        <ul aria-label={t('security.sessions.listLabel')} className="flex flex-col divide-y divide-line">
          {sessions.map((session) => (
            <SessionRow key={session.sessionId} session={session} />
          ))}
        </ul>
      )}
    </>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('auth')
  const [isAsking, setAsking] = useState(false)
  const end = useEndSession()
  const name = session.client === '' ? t('security.sessions.unknown') : session.client
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-semibold">{name}</span>
        <span className="text-sm text-muted">
          {t('security.sessions.since', { day: dayText(session.signedInAt), moment: momentText(session.usedAt) })}
        </span>
      </div>
      {session.isThisOne ? (
        <span className="text-sm text-muted">{t('security.sessions.here')}</span>
      ) : (
        <Button
          tone="quiet"
          size="small"
          aria-label={t('security.sessions.endNamed', { name })}
          onClick={() => setAsking(true)}
        >
          {t('security.sessions.end')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.sessions.endTitle', { name })}
        description={t('security.sessions.endText')}
        confirmLabel={t('security.sessions.end')}
        cancelLabel={t('security.cancel')}
        isBusy={end.isPending}
        failure={end.isError ? identityFailure(end.error, t('errors.security')).message : undefined}
        onConfirm={() => end.mutate(session.sessionId)}
        onCancel={() => setAsking(false)}
      />
    </li>
  )
}

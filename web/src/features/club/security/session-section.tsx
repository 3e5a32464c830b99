import type { Session } from '@marquee/contract/entities/account'
import { useQuery } from '@tanstack/react-query'

import { dayText } from '#web/i18n/dates.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { signOutEverywhere } from '#web/account/account-security.ts'
import { features } from '#web/config.ts'
import { useProgramName } from '#web/i18n/program-name.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useSession } from '#web/session/use-session.ts'

import { AccountList, AccountRow, ConfirmedChange, Section } from './section.tsx'
import { endSession, revokeAllTokens } from './mutations.ts'
import { ownSessions } from './queries.ts'

/** The sessions of the user, which can be ended one by one or all together. */
export function SessionSection() {
  const { t } = useTranslation('auth')
  const { refresh } = useSession()
  return (
    <Section title={t('security.sessions.title')}>
      <p className="text-muted">{t('security.sessions.description')}</p>
      {features().accountService && <Sessions />}
      <ConfirmedChange
        className="self-start"
        label={t('security.sessions.signOut')}
        question={t('security.sessions.confirmTitle')}
        lost={t('security.sessions.confirmText')}
        change={async () => {
          // Amazon does not report the sign-out to the server, which then cannot revoke them.
          if (!features().accountService) await revokeAllTokens()
          await signOutEverywhere()
          await refresh()
        }}
      />
    </Section>
  )
}

function Sessions() {
  const { t } = useTranslation('auth')
  return (
    <AccountList
      query={useQuery(ownSessions)}
      label={t('security.sessions.listLabel')}
      failed={t('security.sessions.failed')}
      row={(session) => <SessionRow key={session.sessionId} session={session} />}
    />
  )
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('auth')
  const { sessionId, client, isThisOne, signedInAt, usedAt } = session
  const programName = useProgramName()
  const name = client === '' ? t('security.sessions.unknown') : programName(client)
  return (
    <AccountRow
      name={name}
      times={
        <RelativeTime iso={usedAt}>
          {(moment) => t('security.sessions.since', { day: dayText(signedInAt), moment })}
        </RelativeTime>
      }
    >
      {isThisOne ? (
        <span className="text-sm text-muted">{t('security.sessions.here')}</span>
      ) : (
        <ConfirmedChange
          size="small"
          label={t('security.sessions.end')}
          aria-label={t('security.sessions.endNamed', { name })}
          question={t('security.sessions.endTitle', { name })}
          lost={t('security.sessions.endText')}
          change={async () => endSession(sessionId)}
        />
      )}
    </AccountRow>
  )
}

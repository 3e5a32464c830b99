import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'

import { unlinkExternal } from '#web/api/external-sign-in.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to, externalStart } from '#web/paths.ts'
import { RetryBanner } from '#web/ui/banner.tsx'
import { buttonStyle } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { ownExternalLink } from './queries.ts'
import { Section, ConfirmedChange } from './section.tsx'

/** Links to the screen that changes the password. */
export function PasswordSection() {
  const { t } = useTranslation('auth')
  return (
    <Section title={t('fields.password')}>
      <p className="text-muted">{t('security.password.description')}</p>
      <Link to={to.changePassword()} className={`${buttonStyle('quiet')} self-start`}>
        {t('changePassword.title')}
      </Link>
    </Section>
  )
}

/** Shows whether the external provider is linked, and links or unlinks it. */
export function ProviderSection({ provider }: { provider: string }) {
  const { t } = useTranslation('auth')
  const { data: isLinked, isError, refetch } = useQuery(ownExternalLink)
  return (
    <Section title={t('external.signIn', { provider })}>
      {isError && <RetryBanner query={{ refetch }}>{t('external.section.failed')}</RetryBanner>}
      {!isError && isLinked === undefined && <Skeleton className="h-16" />}
      {isLinked === true && (
        <>
          <p className="text-muted">{t('external.section.linked', { provider })}</p>
          <ConfirmedChange
            className="self-start"
            label={t('external.section.unlink', { provider })}
            question={t('external.section.unlinkTitle', { provider })}
            lost={t('external.section.unlinkText', { provider })}
            change={unlinkExternal}
          />
        </>
      )}
      {isLinked === false && (
        <>
          <p className="text-muted">{t('external.section.unlinked', { provider })}</p>
          <a href={externalStart(to.account('sign-in'))} className={`${buttonStyle('quiet')} self-start`}>
            {t('external.section.link', { provider })}
          </a>
        </>
      )}
    </Section>
  )
}

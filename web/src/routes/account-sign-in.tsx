import '#web/i18n/auth-screens-texts.ts'
import '#web/i18n/external-texts.ts'
import '#web/i18n/security-texts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { EmailSection } from '#web/features/club/security/email-section.tsx'
import { FreshSignIn, OnlyFresh } from '#web/features/club/security/fresh-sign-in.tsx'
import { PasskeySection } from '#web/features/club/security/passkey-section.tsx'
import { SectionGroup } from '#web/features/club/security/section.tsx'
import { PasswordSection, ProviderSection } from '#web/features/club/security/sign-in-sections.tsx'
import { SecondFactorSection } from '#web/features/club/security/second-factor-section.tsx'
import { features } from '#web/config.ts'
import { useSignedInUser } from '#web/session/use-session.ts'

import { AccountScreen } from './account-layout.tsx'

/** /account/sign-in: how the user signs in, and what proves that it is them. */
export function Component() {
  const { t } = useTranslation('auth')
  const { t: profile } = useTranslation('profile')
  const { username } = useSignedInUser()
  const { passkeys, secondFactors, externalProvider } = features()
  return (
    <AccountScreen title={profile('account.tabs.signIn')} description={t('security.description')}>
      <FreshSignIn>
        <OnlyFresh className="grid items-start gap-6 lg:grid-cols-2">
          <SectionGroup>
            <EmailSection />
            <PasswordSection />
            {externalProvider !== null && <ProviderSection provider={externalProvider} />}
          </SectionGroup>
          {(passkeys || secondFactors) && (
            <SectionGroup>
              {passkeys && <PasskeySection />}
              {secondFactors && <SecondFactorSection username={username} />}
            </SectionGroup>
          )}
        </OnlyFresh>
      </FreshSignIn>
    </AccountScreen>
  )
}

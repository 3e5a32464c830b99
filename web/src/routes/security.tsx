import '#web/i18n/auth-screens-texts.ts'
import '#web/i18n/external-texts.ts'
import '#web/i18n/security-texts.ts'
import { useTranslation } from '#web/i18n/texts.ts'

import { ActivitySection } from '#web/features/club/security/activity-section.tsx'
import { DeleteSection, ExportSection } from '#web/features/club/security/data-sections.tsx'
import { DeviceSection } from '#web/features/club/security/device-section.tsx'
import { EmailSection } from '#web/features/club/security/email-section.tsx'
import { FreshSignIn, OnlyFresh } from '#web/features/club/security/fresh-sign-in.tsx'
import { PasskeySection } from '#web/features/club/security/passkey-section.tsx'
import { PasswordSection, ProviderSection } from '#web/features/club/security/sign-in-sections.tsx'
import { SecondFactorSection } from '#web/features/club/security/second-factor-section.tsx'
import { SessionSection } from '#web/features/club/security/session-section.tsx'
import { TokenSection } from '#web/features/club/security/token-section.tsx'
import { features } from '#web/config.ts'
import { useSignedInUser } from '#web/session/use-session.ts'

import { Screen } from './screen.tsx'

/** /account/security */
export function Component() {
  const { t } = useTranslation('auth')
  const { username } = useSignedInUser()
  const { passkeys, secondFactors, devices, accountService, externalProvider } = features()
  return (
    <Screen title={t('security.title')}>
      <div className="flex flex-col gap-6">
        <header className="flex flex-col gap-2">
          <h1 className="text-3xl sm:text-4xl">{t('security.title')}</h1>
          <p className="text-muted">{t('security.description')}</p>
        </header>
        <FreshSignIn>
          <OnlyFresh>
            {passkeys && <PasskeySection />}
            {secondFactors && <SecondFactorSection username={username} />}
            {externalProvider !== null && <ProviderSection provider={externalProvider} />}
            <EmailSection />
          </OnlyFresh>
          <PasswordSection />
          {devices && <DeviceSection />}
          <SessionSection />
          <TokenSection />
          {accountService && <ActivitySection />}
          <OnlyFresh>
            {accountService && <ExportSection />}
            {accountService && <DeleteSection username={username} />}
          </OnlyFresh>
        </FreshSignIn>
      </div>
    </Screen>
  )
}

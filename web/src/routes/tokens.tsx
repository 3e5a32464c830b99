import '#web/i18n/security-texts.ts'
import { FreshSignIn } from '#web/features/club/security/fresh-sign-in.tsx'
import { SectionGroup } from '#web/features/club/security/section.tsx'
import { TokenSection } from '#web/features/club/security/token-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { AccountScreen } from './account-layout.tsx'

/** /account/tokens: the keys with which scripts call the API as the user. */
export function Component() {
  const { t } = useTranslation('profile')
  return (
    <AccountScreen title={t('account.tabs.tokens')}>
      <FreshSignIn>
        <SectionGroup className="max-w-2xl">
          <TokenSection />
        </SectionGroup>
      </FreshSignIn>
    </AccountScreen>
  )
}

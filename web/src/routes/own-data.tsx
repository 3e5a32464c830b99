import '#web/i18n/security-texts.ts'
import { Navigate } from 'react-router'

import { features } from '#web/config.ts'
import { DeleteSection, ExportSection } from '#web/features/club/security/data-sections.tsx'
import { FreshSignIn, OnlyFresh } from '#web/features/club/security/fresh-sign-in.tsx'
import { SectionGroup } from '#web/features/club/security/section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'

import { AccountScreen } from './account-layout.tsx'

/** /account/data: all that is stored about the user, and the end of the account. */
export function Component() {
  const { t } = useTranslation('profile')
  const { username } = useSignedInUser()
  if (!features().accountService) return <Navigate replace to={to.profileEdit()} />
  return (
    <AccountScreen title={t('account.tabs.data')}>
      <FreshSignIn>
        <OnlyFresh>
          <SectionGroup className="max-w-2xl">
            <ExportSection />
            <DeleteSection username={username} />
          </SectionGroup>
        </OnlyFresh>
      </FreshSignIn>
    </AccountScreen>
  )
}

import '#web/i18n/security-texts.ts'
import { features } from '#web/config.ts'
import { ActivitySection } from '#web/features/club/security/activity-section.tsx'
import { DeviceSection } from '#web/features/club/security/device-section.tsx'
import { KeepingSection } from '#web/features/club/security/device-copy-section.tsx'
import { SectionGroup } from '#web/features/club/security/section.tsx'
import { SessionSection } from '#web/features/club/security/session-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'

import { AccountScreen } from './account-layout.tsx'

/** /account/devices: where the user is signed in, and what happened on the account. */
export function Component() {
  const { t } = useTranslation('profile')
  const { devices, accountService } = features()
  return (
    <AccountScreen title={t('account.tabs.devices')}>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <SectionGroup>
          <SessionSection />
          {devices && <DeviceSection />}
          <KeepingSection />
        </SectionGroup>
        {accountService && (
          <SectionGroup>
            <ActivitySection />
          </SectionGroup>
        )}
      </div>
    </AccountScreen>
  )
}

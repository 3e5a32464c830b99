import '#web/i18n/auth-screens-texts.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { ChangePasswordForm } from '#web/features/club/auth-screens/change-password-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AccountScreen } from './account-layout.tsx'

/** /account/change-password */
export function Component() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { loginId } = useSignedInUser()
  const [isChanged, setChanged] = useState(false)

  return (
    <AccountScreen title={t(isChanged ? 'changePassword.doneTitle' : 'changePassword.title')}>
      <div className="flex max-w-sm flex-col gap-6">
        {isChanged ? (
          <>
            <Banner tone="success">{t('changePassword.done')}</Banner>
            {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the form with the focus is gone */}
            <Button tone="primary" size="large" autoFocus onClick={async () => navigate(to.home())}>
              {common('actions.backToHome')}
            </Button>
          </>
        ) : (
          <ChangePasswordForm loginId={loginId} onChanged={() => setChanged(true)} />
        )}
      </div>
    </AccountScreen>
  )
}

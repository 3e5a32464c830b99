import '#web/i18n/auth-screens-texts.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'

import { AuthHeading } from '#web/features/club/auth-screens/auth-heading.tsx'
import { ChangePasswordForm } from '#web/features/club/auth-screens/change-password-form.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** /account/change-password */
export function Component() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { loginId } = useSignedInUser()
  const [isChanged, setChanged] = useState(false)

  return (
    <div className="mx-auto flex w-full max-w-sm flex-col gap-6 px-4 py-8 sm:py-12">
      {isChanged ? (
        <>
          <AuthHeading title={t('changePassword.doneTitle')} />
          <Banner tone="success">{t('changePassword.done')}</Banner>
          <Button tone="primary" size="large" onClick={async () => navigate(to.home())}>
            {common('actions.backToHome')}
          </Button>
        </>
      ) : (
        <>
          <AuthHeading title={t('changePassword.title')} />
          <ChangePasswordForm loginId={loginId} onChanged={() => setChanged(true)} />
        </>
      )}
    </div>
  )
}

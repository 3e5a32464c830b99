import { X } from 'lucide-react'
import { Link } from 'react-router'

import { LanguageSection } from '#web/features/club/profile-edit/language-section.tsx'
import { features } from '#web/config.ts'
import { ServiceSection } from '#web/features/club/profile-edit/service-section.tsx'
import { PictureSection } from '#web/features/club/profile-edit/picture-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { AccountScreen } from './account-layout.tsx'

/** /profile/edit */
export function Component() {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const { username, loginId } = useSignedInUser()

  return (
    <AccountScreen
      title={t('edit.title')}
      action={
        <Link
          to={to.home()}
          aria-label={common('close')}
          className="inline-flex size-11 shrink-0 items-center justify-center rounded-control text-muted hover:bg-raised hover:text-text"
        >
          <X aria-hidden className="size-5" />
        </Link>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <PictureSection username={username} loginId={loginId} />
        <LanguageSection />
        {features().watchProviders === true && <ServiceSection />}
      </div>
      <Link to={to.home()} className={`${buttonStyle('quiet', 'large')} mt-6 max-sm:w-full`}>
        {t('edit.done')}
      </Link>
    </AccountScreen>
  )
}

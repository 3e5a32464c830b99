import { X } from 'lucide-react'
import { Link } from 'react-router'

import { MailSection } from '#web/features/profile-edit/mail-section.tsx'
import { LanguageSection } from '#web/features/profile-edit/language-section.tsx'
import { PictureSection } from '#web/features/profile-edit/picture-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { Screen } from './screen.tsx'

/** /profile/edit */
export function Component() {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const { username, loginId } = useSignedInUser()

  return (
    <Screen title={t('edit.title')}>
      <div className="mx-auto flex max-w-lg flex-col gap-6">
        <div className="flex items-center justify-between gap-4">
          <h1 className="text-3xl sm:text-4xl">{t('edit.title')}</h1>
          <Link
            to={to.home()}
            aria-label={common('close')}
            className="inline-flex size-11 items-center justify-center rounded-control text-muted hover:bg-raised hover:text-text"
          >
            <X aria-hidden className="size-5" />
          </Link>
        </div>
        <PictureSection username={username} loginId={loginId} />
        <MailSection />
        <LanguageSection />
        <Link to={to.home()} className={`${buttonStyle('quiet', 'large')} self-stretch sm:self-start`}>
          {t('edit.done')}
        </Link>
      </div>
    </Screen>
  )
}

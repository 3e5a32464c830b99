import { X } from 'lucide-react'
import { Link } from 'react-router'

import { LanguageSection } from '#web/features/club/profile-edit/language-section.tsx'
import { PictureSection } from '#web/features/club/profile-edit/picture-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { linkStyle } from '#web/ui/classes.ts'
import { Panel } from '#web/ui/panel.tsx'

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
        <Panel aria-labelledby="notifications" className="flex flex-col gap-3">
          <h2 id="notifications" className="text-xl">
            {t('notifications.title')}
          </h2>
          <Link to={to.notificationSettings()} className={`${linkStyle} self-start`}>
            {t('notifications.open')}
          </Link>
        </Panel>
        <LanguageSection />
        <Link to={to.home()} className={`${buttonStyle('quiet', 'large')} self-stretch sm:self-start`}>
          {t('edit.done')}
        </Link>
      </div>
    </Screen>
  )
}

import { X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

import { to } from '#web/paths.ts'
import { useSignedInUser } from '#web/session/use-session.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { buttonStyle } from '#web/ui/button.tsx'

import { ScreenTitle } from './screen.tsx'

/** /profile/edit */
export function Component() {
  const { t } = useTranslation('profile')
  const { t: common } = useTranslation()
  const { username, loginId } = useSignedInUser()

  return (
    <div className="mx-auto flex w-full max-w-sm flex-col gap-6 px-4 py-8 sm:py-12">
      <ScreenTitle title={t('edit.title')} />
      <div className="flex items-center justify-between gap-4">
        <h1 className="text-2xl">{t('edit.title')}</h1>
        <Link to={to.home()} aria-label={common('close')} className="rounded-control p-2.5 text-muted hover:text-text">
          <X aria-hidden className="size-5" />
        </Link>
      </div>
      <div className="flex items-center gap-4">
        <Avatar name={username} size="large" />
        <div className="min-w-0">
          <p className="text-lg font-semibold">{username}</p>
          <p className="text-muted">{loginId}</p>
        </div>
      </div>
      <Link to={to.home()} className={buttonStyle('primary', 'large')}>
        {t('edit.done')}
      </Link>
    </div>
  )
}

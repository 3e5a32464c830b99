import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'

import { Brand } from './brand.tsx'

/** Over what a guest reads by link: the product's name, and the way in, which leads back here. */
export function GuestBar() {
  const { t } = useTranslation()
  const { pathname, search, hash } = useLocation()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas">
      <div className="mx-auto flex h-14 max-w-[68.75rem] items-center justify-between gap-4 px-4 sm:px-6">
        <Brand />
        <Link to={to.login(`${pathname}${search}${hash}`)} className={buttonStyle('primary', 'small')}>
          {t('topBar.signIn')}
        </Link>
      </div>
    </header>
  )
}

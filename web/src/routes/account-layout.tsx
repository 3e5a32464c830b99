import '#web/i18n/account-texts.ts'
import { Bell, CircleUser, Download, KeyRound, MonitorSmartphone, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, Outlet, useLocation } from 'react-router'

import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

import { ScreenTitle } from './screen.tsx'

/** The tabs, with their links. */
const TABS = [
  { name: 'profile', link: to.profileEdit(), Icon: CircleUser },
  { name: 'signIn', link: to.account('sign-in'), Icon: ShieldCheck },
  { name: 'devices', link: to.account('devices'), Icon: MonitorSmartphone },
  { name: 'notifications', link: to.account('notifications'), Icon: Bell },
  { name: 'tokens', link: to.account('tokens'), Icon: KeyRound },
  { name: 'data', link: to.account('data'), Icon: Download },
] as const

/** The account of the user: tabs, and below them the open one. */
export function Component() {
  const { t } = useTranslation('profile')
  const { pathname } = useLocation()
  return (
    <>
      <nav aria-label={t('account.label')} className="border-b border-line bg-canvas">
        <ul className="mx-auto grid max-w-[68.75rem] grid-cols-3 sm:flex sm:flex-wrap sm:gap-1 sm:px-4">
          {TABS.filter(({ name }) => name !== 'data' || features().accountService).map(({ name, link, Icon }) => {
            const isOpen = pathname === link || (name === 'signIn' && pathname === to.changePassword())
            return (
              <li key={name}>
                <Link
                  to={link}
                  aria-current={isOpen && (pathname === link ? 'page' : 'true')}
                  className={classes(
                    'flex h-11 items-center justify-center gap-2 border-b-2 px-1 text-center text-xs font-semibold sm:h-12 sm:px-3 sm:text-sm',
                    isOpen ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
                  )}
                >
                  <Icon aria-hidden className="size-4.5 max-sm:hidden" />
                  {t(`account.tabs.${name}`)}
                </Link>
              </li>
            )
          })}
        </ul>
      </nav>
      <Outlet />
    </>
  )
}

type AccountScreenProps = {
  title: string
  description?: string
  /** Beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** The content of a tab, with its title. */
export function AccountScreen({ title, description, action, children }: AccountScreenProps) {
  return (
    <div className="mx-auto w-full max-w-[68.75rem] px-4 py-6 sm:px-6 sm:py-8">
      <ScreenTitle title={title} />
      <header className="mb-6 flex items-start justify-between gap-4">
        <div className="flex flex-col gap-2">
          <h1 className="text-3xl sm:text-4xl">{title}</h1>
          {description !== undefined && <p className="text-muted">{description}</p>}
        </div>
        {action}
      </header>
      {children}
    </div>
  )
}

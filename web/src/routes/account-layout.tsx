import '#web/i18n/account-texts.ts'
import { Bell, CircleUser, Download, KeyRound, type LucideIcon, MonitorSmartphone, ShieldCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, matchPath, Outlet, useLocation } from 'react-router'

import { features } from '#web/config.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES, type RouteName } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

import { ScreenTitle } from './screen.tsx'

const TABS = ['profile', 'signIn', 'devices', 'notifications', 'tokens', 'data'] as const
type Tab = (typeof TABS)[number]

/** The screens of each tab. The first is the one that the tab opens. */
const SCREENS: Record<Tab, { Icon: LucideIcon; screens: [RouteName, ...RouteName[]] }> = {
  profile: { Icon: CircleUser, screens: ['profileEdit'] },
  signIn: { Icon: ShieldCheck, screens: ['accountSignIn', 'changePassword'] },
  devices: { Icon: MonitorSmartphone, screens: ['devices'] },
  notifications: { Icon: Bell, screens: ['notificationSettings'] },
  tokens: { Icon: KeyRound, screens: ['tokens'] },
  data: { Icon: Download, screens: ['ownData'] },
}

/** The account of the user: tabs, and below them the open one. */
export function Component() {
  const { t } = useTranslation('profile')
  const { pathname } = useLocation()
  return (
    <>
      <nav aria-label={t('account.label')} className="border-b border-line bg-canvas">
        <ul className="mx-auto grid max-w-[68.75rem] grid-cols-3 sm:flex sm:flex-wrap sm:gap-1 sm:px-4">
          {TABS.filter((tab) => tab !== 'data' || features().accountService).map((tab) => {
            const { Icon, screens } = SCREENS[tab]
            const isOpen = screens.some((screen) => matchPath(ROUTES[screen], pathname))
            return (
              <li key={tab}>
                <Link
                  to={ROUTES[screens[0]]}
                  aria-current={isOpen && (pathname === ROUTES[screens[0]] ? 'page' : 'true')}
                  className={classes(
                    'flex h-11 items-center justify-center gap-2 border-b-2 px-1 text-center text-xs font-semibold sm:h-12 sm:px-3 sm:text-sm',
                    isOpen ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
                  )}
                >
                  <Icon aria-hidden className="size-4.5 max-sm:hidden" />
                  {t(`account.tabs.${tab}`)}
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

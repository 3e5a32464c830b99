import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { useMenuPreload } from '#web/ui/menu.tsx'

import { AccountMenu, type AccountMenuProps } from './account-menu.tsx'
import { WatchlistSwitcher, type SwitcherProps } from './watchlist-switcher.tsx'

type TopBarProps = SwitcherProps &
  AccountMenuProps & {
    bell?: ReactNode
  }

/** The top bar of signed-in screens: brand, watchlists, notifications, account menu. */
export function TopBar({ watchlists, currentId, visited, onSwitch, bell, ...account }: TopBarProps) {
  useMenuPreload()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas">
      <div className="relative mx-auto flex h-14 max-w-[68.75rem] items-center gap-2 px-4 sm:gap-4 sm:px-6">
        <Brand />
        <span aria-hidden className="h-5 w-px shrink-0 bg-line max-sm:hidden" />
        <WatchlistSwitcher watchlists={watchlists} currentId={currentId} visited={visited} onSwitch={onSwitch} />
        <span className="ms-auto flex">{bell}</span>
        <AccountMenu {...account} />
      </div>
    </header>
  )
}

/** The top bar for guests: brand, and a sign-in link that leads back here. */
export function GuestBar() {
  const { t } = useTranslation('watchlist')
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

/** The product's name, which links to the home page. A narrow bar has only its sign, so that the watchlist has a name. */
function Brand() {
  const { t } = useTranslation()
  return (
    <Link
      to={to.home()}
      className="flex min-h-11 shrink-0 items-center font-display text-xl font-bold tracking-tight text-accent"
    >
      <img src="/favicon.svg" alt="" className="size-8 min-[24rem]:hidden" />
      <span className="max-[24rem]:sr-only">{t('productName')}</span>
    </Link>
  )
}

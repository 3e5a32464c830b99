import type { ReactNode } from 'react'

import { useMenuPreload } from '#web/ui/menu.tsx'

import { AccountMenu, type AccountMenuProps } from './account-menu.tsx'
import { Brand } from './brand.tsx'
import { WatchlistSwitcher, type SwitcherProps } from './watchlist-switcher.tsx'

type TopBarProps = SwitcherProps &
  AccountMenuProps & {
    /** What waits for the user. */
    inbox?: ReactNode
  }

/** Over every signed-in screen: the product's name, the watchlists, what waits for the user, the user. */
export function TopBar({ watchlists, currentId, onSwitch, inbox, ...account }: TopBarProps) {
  useMenuPreload()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-canvas">
      <div className="relative mx-auto flex h-14 max-w-[68.75rem] items-center gap-2 px-4 sm:gap-4 sm:px-6">
        <Brand />
        <span aria-hidden className="h-5 w-px shrink-0 bg-line" />
        <WatchlistSwitcher watchlists={watchlists} currentId={currentId} onSwitch={onSwitch} />
        <span className="flex-1" />
        {inbox}
        <AccountMenu {...account} />
      </div>
    </header>
  )
}

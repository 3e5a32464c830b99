import type { Watchlist } from '@marquee/contract/entities/watchlist'
import { ChevronsUpDown, LayoutList, Plus } from 'lucide-react'
import { Link } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { Menu, MenuAction, MenuGroup, MenuItem, menuItemStyle, MenuLine } from '#web/ui/menu.tsx'

export type SwitcherProps = {
  watchlists: readonly Watchlist[]
  currentId: string | null
  /** The watchlist of the screen, which may be one that the user only visits. */
  visited?: Pick<Watchlist, 'name'> | undefined
  onSwitch: (watchlistId: string) => void
}

/** The current watchlist, with a menu of all watchlists and links to manage them. */
export function WatchlistSwitcher({ watchlists, currentId, visited, onSwitch }: SwitcherProps) {
  const { t } = useTranslation('watchlist')
  const current = watchlists.find(({ id }) => id === currentId) ?? visited
  const shown = current?.name ?? t('topBar.noWatchlist')
  return (
    <Menu
      label={t('topBar.switcher', { name: shown })}
      triggerClassName="flex min-h-9 min-w-0 items-center gap-2 rounded-control px-2.5 max-sm:px-1 font-medium hover:bg-raised data-open:bg-raised pointer-coarse:min-h-11"
      isShrinking
      panelClassName="max-sm:fixed max-sm:inset-x-2 max-sm:top-14 max-sm:w-auto"
      trigger={
        <>
          <span dir="auto" className="max-w-37.5 truncate">
            {shown}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </>
      }
    >
      {watchlists.length > 0 && (
        <>
          <MenuGroup label={t('topBar.watchlists')}>
            {watchlists.map(({ id, name }) => (
              <MenuAction key={id} isCurrent={id === currentId} onSelect={() => onSwitch(id)}>
                {name}
              </MenuAction>
            ))}
          </MenuGroup>
          <MenuLine />
        </>
      )}
      <MenuItem>
        <Link to={to.watchlists()} className={menuItemStyle}>
          <LayoutList aria-hidden />
          {t('topBar.manage')}
        </Link>
      </MenuItem>
      <MenuItem>
        <Link to={to.createWatchlist()} className={menuItemStyle}>
          <Plus aria-hidden />
          {t('topBar.createNew')}
        </Link>
      </MenuItem>
    </Menu>
  )
}

import { LayoutGrid, type LucideIcon, Moon, Package, Users } from 'lucide-react'
import { useState } from 'react'
import { Link, matchPath, useLocation } from 'react-router'

import { useTranslation } from '#web/i18n/texts.ts'
import { ROUTES, type RouteName, to } from '#web/paths.ts'
import { classes } from '#web/ui/classes.ts'

type Place = 'box' | 'night' | 'library' | 'club'

/** The places of a watchlist, with the screens that belong to each. The first is the one that its tab opens. */
const PLACES: Record<Place, { Icon: LucideIcon; link: (id: string) => string; screens: RouteName[] }> = {
  box: { Icon: Package, link: to.watchlist, screens: ['watchlist'] },
  night: { Icon: Moon, link: to.night, screens: ['night'] },
  library: { Icon: LayoutGrid, link: to.library, screens: ['library', 'suggestions', 'statistics', 'draws', 'draw'] },
  club: { Icon: Users, link: to.club, screens: ['club', 'watchlistSettings', 'importMovies'] },
}

const FOR_MEMBERS: readonly Place[] = ['box', 'night', 'library', 'club']
const FOR_VISITORS: readonly Place[] = ['box', 'library']

type PlaceTabsProps = {
  watchlistId: string
  isMember: boolean
  /** A night is planned or on. */
  hasNight: boolean
}

/**
 * The tabs between the places of a watchlist: below the top bar, on a phone at the bottom. Each leads back to the screen of
 * its place that was open last; the tab of the open place leads to its first screen.
 */
export function PlaceTabs({ watchlistId, isMember, hasNight }: PlaceTabsProps) {
  const { t } = useTranslation('watchlist')
  const { pathname, search } = useLocation()
  const places = isMember ? FOR_MEMBERS : FOR_VISITORS
  const open = places.find((place) => PLACES[place].screens.some((screen) => matchPath(ROUTES[screen], pathname)))
  const [left, setLeft] = useState<Partial<Record<Place, string>>>({})
  const here = `${pathname}${search}`
  if (open !== undefined && left[open] !== here) setLeft({ ...left, [open]: here })
  return (
    <nav
      aria-label={t('places.label')}
      className="z-20 border-line bg-canvas max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t max-sm:pb-[env(safe-area-inset-bottom)] sm:border-b"
    >
      <ul className="mx-auto flex max-w-[68.75rem] sm:gap-2 sm:px-4">
        {places.map((place) => {
          const { Icon, link } = PLACES[place]
          const isOpen = place === open
          const first = link(watchlistId)
          return (
            <li key={place} className="flex-1 sm:flex-none">
              <Link
                to={isOpen ? first : (left[place] ?? first)}
                aria-current={isOpen && (pathname === first ? 'page' : 'true')}
                className={classes(
                  'flex h-14 items-center justify-center gap-0.5 border-b-2 px-1 text-xs font-semibold max-[22.5rem]:px-0 max-[22.5rem]:text-[0.65rem] max-sm:flex-col max-sm:border-t-2 max-sm:border-b-0 sm:h-12 sm:gap-2 sm:px-3 sm:text-sm',
                  isOpen ? 'border-accent text-text' : 'border-transparent text-muted hover:text-text',
                )}
              >
                <span className="relative">
                  <Icon aria-hidden className="size-5 sm:size-4.5" />
                  {place === 'night' && hasNight && (
                    <span className="absolute -end-1 -top-0.5 size-2 rounded-full bg-accent">
                      <span className="sr-only">{t('places.nightAhead')}</span>
                    </span>
                  )}
                </span>
                {t(`places.${place}`)}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

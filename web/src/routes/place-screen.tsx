import type { ReactNode } from 'react'
import { Navigate } from 'react-router'

import { to } from '#web/paths.ts'

import { ScreenTitle } from './screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

type PlaceScreenProps = {
  title: string
  /** Beside the title. */
  actions?: ReactNode
  /** Narrow screens are for reading and forms. */
  isNarrow?: boolean
  isForVisitors?: boolean
  children: ReactNode
}

/** A screen of a place of a watchlist, with its title. Those who are not members see the box instead. */
export function PlaceScreen({ title, actions, isNarrow = false, isForVisitors = false, children }: PlaceScreenProps) {
  const { watchlist, isMember } = useWatchlistPlace()
  if (!isMember && !isForVisitors) return <Navigate to={to.watchlist(watchlist.id)} replace />
  return (
    <div className={`mx-auto w-full px-4 py-6 sm:px-6 sm:py-8 ${isNarrow ? 'max-w-2xl' : 'max-w-[68.75rem]'}`}>
      <ScreenTitle title={`${title} · ${watchlist.name}`} />
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="text-3xl sm:text-4xl">{title}</h1>
        {actions}
      </header>
      {children}
    </div>
  )
}

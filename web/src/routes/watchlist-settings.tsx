import '#web/i18n/club-texts.ts'
import '#web/i18n/night-texts.ts'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'

import { features } from '#web/config.ts'
import { CountrySection } from '#web/features/club/watchlists/country-section.tsx'
import { AboutSection } from '#web/features/club/watchlists/about-section.tsx'
import { ExportSection } from '#web/features/club/watchlists/export-section.tsx'
import { Membership } from '#web/features/club/watchlists/membership.tsx'
import { RequestSection } from '#web/features/movies/requests/request-section.tsx'
import { ServerSection } from '#web/features/movies/servers/server-section.tsx'
import { OddsPanel } from '#web/features/draws/odds-panel.tsx'
import { CalendarSection } from '#web/features/nights/night/calendar-section.tsx'
import { VetoSection } from '#web/features/nights/night/veto-budget.tsx'
import { WebhookSection } from '#web/features/news/webhooks/webhook-section.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { to } from '#web/paths.ts'
import { buttonStyle } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'

import { PlaceScreen } from './place-screen.tsx'
import { useWatchlistPlace } from './watchlist-layout.tsx'

/** `/watchlists/{id}/settings`: picture, name and description, how cards are drawn, vetoes, import, export, media servers, asking for movies, the calendar, webhooks, privacy, and leaving. */
export function Component() {
  const { t } = useTranslation('watchlist')
  const { watchlist, username, isOwner } = useWatchlistPlace()
  const [isGone, setGone] = useState(false)
  const { id } = watchlist
  if (isGone) {
    const done = t(isOwner ? 'delete.done' : 'leave.done', { name: watchlist.name })
    return <Navigate replace to={to.home()} state={{ done }} />
  }
  return (
    <PlaceScreen title={t('settings.title')} isNarrow>
      <div className="flex flex-col gap-6">
        <AboutSection watchlist={watchlist} />
        <Panel className="flex flex-col gap-4">
          <h2 className="text-xl">{t('places.draws')}</h2>
          <OddsPanel watchlistId={id} isOwner={isOwner} />
        </Panel>
        <VetoSection watchlistId={id} isOwner={isOwner} />
        <Panel className="flex flex-col gap-4">
          <h2 className="text-xl">{t('settings.movies')}</h2>
          <Link to={to.importMovies(id)} className={`${buttonStyle('quiet')} self-start`}>
            <FileUp aria-hidden />
            {t('detail.importMovies')}
          </Link>
          <ExportSection watchlist={watchlist} />
        </Panel>
        {features().watchProviders === true && <CountrySection watchlist={watchlist} />}
        {features().mediaServers === true && <ServerSection watchlistId={id} isOwner={isOwner} />}
        {features().mediaServers === true && <RequestSection watchlistId={id} isOwner={isOwner} />}
        <CalendarSection watchlistId={id} />
        <Panel className="flex flex-col gap-4">
          {isOwner && <WebhookSection watchlistId={id} />}
          <Membership watchlist={watchlist} username={username} isOwner={isOwner} onGone={() => setGone(true)} />
        </Panel>
      </div>
    </PlaceScreen>
  )
}

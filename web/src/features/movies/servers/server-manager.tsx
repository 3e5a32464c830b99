import '#web/i18n/media-server-texts.ts'
import type { MediaServer } from '@marquee/contract/entities/media-server'
import { MAX_MEDIA_SERVERS } from '@marquee/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Unread } from '#web/ui/unread.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { mediaServers } from './queries.ts'
import { ConnectForm } from './server-forms.tsx'
import { ServerRow } from './server-row.tsx'

type ServerManagerProps = { watchlistId: string; isOwner: boolean }

/** The media servers of a watchlist. The owner connects and disconnects them; other members see them once there are some. */
export function ServerManager({ watchlistId, isOwner }: ServerManagerProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(mediaServers(watchlistId))
  const { data } = query
  if (!isOwner && (data === undefined || data.length === 0)) return null
  return (
    <Panel className="flex flex-col gap-4">
      <h2 className="text-xl">{t('mediaServers.title')}</h2>
      {data === undefined && (
        <Unread query={query} loading={t('mediaServers.loading')} failed={t('mediaServers.failed')} />
      )}
      {data && <Servers watchlistId={watchlistId} isOwner={isOwner} servers={data} />}
    </Panel>
  )
}

type ServersProps = ServerManagerProps & { servers: readonly MediaServer[] }

function Servers({ watchlistId, isOwner, servers }: ServersProps) {
  const { t } = useTranslation('watchlist')
  const { isOpen, open, close, ref } = useOpener<HTMLDivElement>()
  const [connected, setConnected] = useState<string>()
  const end = (server?: MediaServer) => {
    close()
    setConnected(server?.name)
  }
  return (
    <div ref={ref} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
      {servers.length === 0 && <p className="text-sm text-muted">{t('mediaServers.hint')}</p>}
      <output className="sr-only">{connected !== undefined && t('mediaServers.connected', { name: connected })}</output>
      {servers.length > 0 && (
        <ul aria-label={t('mediaServers.title')} className="flex flex-col gap-4">
          {servers.map((server) => (
            <ServerRow
              key={server.serverId}
              watchlistId={watchlistId}
              server={server}
              isOwner={isOwner}
              onDisconnected={() => end()}
            />
          ))}
        </ul>
      )}
      {isOpen && <ConnectForm watchlistId={watchlistId} onClosed={end} />}
      {isOwner && !isOpen && servers.length < MAX_MEDIA_SERVERS && (
        <Button tone="quiet" className="self-start" onClick={open}>
          {t(servers.length === 0 ? 'mediaServers.new' : 'mediaServers.another')}
        </Button>
      )}
    </div>
  )
}

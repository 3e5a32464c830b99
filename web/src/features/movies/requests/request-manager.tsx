import '#web/i18n/media-server-texts.ts'
import type { RequestServer } from '@marquee/contract/entities/movie-request'
import { useQuery } from '@tanstack/react-query'

import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Unread } from '#web/ui/unread.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { OwnerButtons, ServerTrouble } from '../servers/server-parts.tsx'
import { requestServer, useDisconnectRequests } from './queries.ts'
import { ChangeRequestsForm, ConnectRequestsForm } from './request-forms.tsx'

/** The same in every language. Jellyseerr and Overseerr are earlier names of it. */
const SEERR = 'Seerr'

type RequestManagerProps = { watchlistId: string; isOwner: boolean }

/** The server that a watchlist asks for movies. The owner connects it; other members see it once there is one. */
export function RequestManager({ watchlistId, isOwner }: RequestManagerProps) {
  const { t } = useTranslation('watchlist')
  const query = useQuery(requestServer(watchlistId))
  const { data } = query
  const { isOpen, open, close, ref } = useOpener<HTMLDivElement>()
  if (!isOwner && (data === undefined || data === null)) return null
  return (
    <Panel className="flex flex-col gap-4">
      <h2 className="text-xl">{t('mediaServers.requests.title')}</h2>
      <div ref={ref} tabIndex={-1} className="flex flex-col gap-4 focus:outline-none">
        {data === undefined && (
          <Unread query={query} loading={t('mediaServers.loading')} failed={t('mediaServers.requests.failed')} />
        )}
        {data === null && <p className="text-sm text-muted">{t('mediaServers.requests.hint')}</p>}
        {data === null && isOpen && <ConnectRequestsForm watchlistId={watchlistId} onClosed={close} />}
        {data === null && !isOpen && (
          <Button tone="quiet" className="self-start" onClick={open}>
            {t('mediaServers.requests.new')}
          </Button>
        )}
        {data && <Server watchlistId={watchlistId} isOwner={isOwner} server={data} onDisconnected={close} />}
      </div>
    </Panel>
  )
}

type ServerProps = RequestManagerProps & { server: RequestServer; onDisconnected: () => void }

function Server({ watchlistId, isOwner, server, onDisconnected }: ServerProps) {
  const { t } = useTranslation('watchlist')
  const disconnect = useDisconnectRequests(watchlistId)
  const { isOpen, open, close, ref } = useOpener()
  return (
    <div className="flex flex-col gap-2 rounded-panel border border-line p-3">
      <div className="wrap-anywhere">
        <h3 className="font-sans text-base font-semibold">{SEERR}</h3>
        {server.host !== null && (
          <p className="text-sm text-muted">
            <bdi>{server.host}</bdi>
          </p>
        )}
      </div>
      <ServerState server={server} />
      {isOwner && isOpen && <ChangeRequestsForm watchlistId={watchlistId} server={server} onClosed={close} />}
      {isOwner && !isOpen && (
        <div className="flex flex-wrap gap-2">
          <OwnerButtons
            ref={ref}
            name={SEERR}
            onChange={open}
            disconnect={disconnect}
            lost={t('mediaServers.requests.disconnectText')}
            onDisconnect={() => disconnect.mutate(undefined, { onSuccess: onDisconnected })}
          />
        </div>
      )}
    </div>
  )
}

/** Who may ask, how much has not arrived, and what is wrong. */
function ServerState({ server: { askers, fault, seenAt, open } }: Pick<ServerProps, 'server'>) {
  const { t } = useTranslation('watchlist')
  return (
    <output className="flex flex-col gap-1 text-sm">
      <span className="text-muted">{t(`mediaServers.requests.askersAre.${askers}`)}</span>
      <span className="text-muted">{t('mediaServers.requests.open', { number: numberText(open) })}</span>
      {fault !== null && <ServerTrouble name={SEERR} seenAt={seenAt} fault={fault} />}
    </output>
  )
}

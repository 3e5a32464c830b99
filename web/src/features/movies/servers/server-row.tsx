import { MEDIA_SERVER_PRODUCTS, type MediaServer } from '@marquee/contract/entities/media-server'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { momentText } from '#web/i18n/dates.ts'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { useDisconnectServer, useReadServer } from './queries.ts'
import { ChangeForm } from './server-forms.tsx'
import { ServerLinksArea } from './server-links-area.tsx'
import { OwnerButtons, ServerTrouble } from './server-parts.tsx'
import { useWhenText } from './server-texts.ts'

type ServerRowProps = { watchlistId: string; server: MediaServer; isOwner: boolean; onDisconnected: () => void }

/** A media server: its name, how it is, and what can be done with it. */
export function ServerRow({ watchlistId, server, isOwner, onDisconnected }: ServerRowProps) {
  const { t } = useTranslation('watchlist')
  const { serverId, name, state } = server
  const params = { watchlistId, serverId }
  const read = useReadServer(params)
  const disconnect = useDisconnectServer(params)
  const { isOpen, open, close, ref } = useOpener()
  const isReading = state === 'waiting' || state === 'reading'
  return (
    <li className="flex flex-col gap-2 rounded-panel border border-line p-3">
      <ServerName server={server} />
      <ServerState server={server} />
      <CallFailureBanner what={t('mediaServers.readFailed')} error={read.error} />
      {isOpen ? (
        <ChangeForm params={params} server={server} onClosed={close} />
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button
            tone="quiet"
            size="small"
            aria-label={t('mediaServers.readNamed', { name })}
            busy={read.isPending}
            disabled={isReading}
            onClick={() => read.mutate()}
          >
            {t('mediaServers.read')}
          </Button>
          {isOwner && (
            <OwnerButtons
              ref={ref}
              name={name}
              onChange={open}
              disconnect={disconnect}
              lost={t('mediaServers.disconnectText')}
              onDisconnect={() => disconnect.mutate(undefined, { onSuccess: onDisconnected })}
            />
          )}
        </div>
      )}
      <ServerLinksArea params={params} server={server} isOwner={isOwner} />
    </li>
  )
}

function ServerName({ server: { name, kind, host } }: Pick<ServerRowProps, 'server'>) {
  return (
    <div className="wrap-anywhere">
      <h3 className="font-sans text-base font-semibold">
        <bdi>{name}</bdi>
      </h3>
      <p className="text-sm text-muted">
        {MEDIA_SERVER_PRODUCTS[kind]}
        {host !== null && (
          <>
            {' · '}
            <bdi>{host}</bdi>
          </>
        )}
      </p>
    </div>
  )
}

/** How the last reading went. The list of the one before counts while a server is off. */
function ServerState({ server: { name, state, fault, seenAt, readAt, movies } }: Pick<ServerRowProps, 'server'>) {
  const { t } = useTranslation('watchlist')
  const whenText = useWhenText()
  if (state === 'waiting' || state === 'reading') {
    return (
      <p className="text-sm">
        <Spinner label={t('mediaServers.reading')} />
      </p>
    )
  }
  const count = readAt !== null && movies !== null && (
    <p className="text-sm text-muted" title={momentText(readAt)}>
      {t('mediaServers.movies', { count: movies, number: numberText(movies), when: whenText(readAt) })}
    </p>
  )
  if (state === 'ready') return <output>{count}</output>
  return (
    <output className="flex flex-col gap-1 text-sm">
      <ServerTrouble name={name} seenAt={seenAt} fault={fault} />
      {fault === 'other-server' && <span>{t('mediaServers.reinstalled')}</span>}
      {count}
    </output>
  )
}

import { MEDIA_SERVER_PRODUCTS, type MediaServer } from '@marquee/contract/entities/media-server'
import { CircleAlert } from 'lucide-react'

import { CallFailureBanner, whyFailed } from '#web/api/call-failure.tsx'
import { momentText } from '#web/i18n/dates.ts'
import { numberText } from '#web/i18n/numbers.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { AskFirst } from '#web/ui/ask-first.tsx'
import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { useDisconnectServer, useReadServer } from './queries.ts'
import { ChangeForm } from './server-forms.tsx'
import { ServerLinksArea } from './server-links-area.tsx'
import { useFaultText, useWhenText } from './server-texts.ts'

type ServerRowProps = { watchlistId: string; server: MediaServer; isOwner: boolean; onDisconnected: () => void }

/** A media server: its name, how it is, and what can be done with it. */
export function ServerRow({ watchlistId, server, isOwner, onDisconnected }: ServerRowProps) {
  const { t } = useTranslation('watchlist')
  const { serverId, name, state } = server
  const params = { watchlistId, serverId }
  const read = useReadServer(params)
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
            <>
              <Button
                ref={ref}
                tone="quiet"
                size="small"
                aria-label={t('mediaServers.changeNamed', { name })}
                onClick={open}
              >
                {t('mediaServers.change')}
              </Button>
              <Disconnect params={params} name={name} onDisconnected={onDisconnected} />
            </>
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
  const faultText = useFaultText()
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
      <span className="flex items-start gap-1.5 text-danger">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span title={seenAt === null ? undefined : momentText(seenAt)}>
          {seenAt === null
            ? t('mediaServers.neverSeen', { name })
            : t('mediaServers.lastSeen', { name, when: whenText(seenAt) })}
        </span>
      </span>
      {fault !== null && <span>{faultText(fault)}</span>}
      {count}
    </output>
  )
}

type DisconnectProps = {
  params: Parameters<typeof useDisconnectServer>[0]
  name: string
  onDisconnected: () => void
}

function Disconnect({ params, name, onDisconnected }: DisconnectProps) {
  const { t } = useTranslation('watchlist')
  const disconnect = useDisconnectServer(params)
  return (
    <AskFirst
      tone="quiet"
      size="small"
      aria-label={t('mediaServers.disconnectNamed', { name })}
      label={t('mediaServers.disconnect')}
      title={t('mediaServers.disconnectTitle', { name })}
      description={t('mediaServers.disconnectText')}
      confirmLabel={t('mediaServers.disconnect')}
      cancelLabel={t('mediaServers.cancel')}
      action={disconnect}
      failure={whyFailed(t('mediaServers.disconnectFailed'))}
      onConfirm={() => disconnect.mutate(undefined, { onSuccess: onDisconnected })}
    />
  )
}

import {
  MEDIA_SERVER_KINDS,
  MEDIA_SERVER_PRODUCTS,
  type MediaServer,
  type MediaServerKind,
} from '@marquee/contract/entities/media-server'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { AccessForm, URL_FIELD } from './access-form.tsx'
import { useChangeServer, useConnectServer } from './queries.ts'

const PORTS: Readonly<Record<MediaServerKind, number>> = { jellyfin: 8096, emby: 8096, plex: 32_400 }

type ConnectFormProps = { watchlistId: string; onClosed: (server?: MediaServer) => void }

/** Connects a media server, which is asked before it is kept. */
export function ConnectForm({ watchlistId, onClosed }: ConnectFormProps) {
  const { t } = useTranslation('watchlist')
  const connect = useConnectServer(watchlistId)
  const [kind, setKind] = useState<MediaServerKind>('jellyfin')
  const [openUrl, setOpenUrl] = useState('')
  return (
    <AccessForm
      action={connect}
      address={{ name: 'mediaServerUrl', placeholder: `http://192.168.1.20:${PORTS[kind]}` }}
      keyHint={t(`mediaServers.keyHints.${kind}`)}
      above={
        <Segmented
          legend={t('mediaServers.kind')}
          isCompact
          name="mediaServerKind"
          value={kind}
          options={MEDIA_SERVER_KINDS.map((value) => ({ value, label: MEDIA_SERVER_PRODUCTS[value] }))}
          onChange={setKind}
        />
      }
      onSubmit={(access) =>
        connect.mutate({ kind, ...access, openUrl: openUrl.trim() || null }, { onSuccess: onClosed })
      }
      onCancel={() => onClosed()}
    >
      <OpenUrlField value={openUrl} onChange={setOpenUrl} />
    </AccessForm>
  )
}

type ChangeFormProps = {
  params: Parameters<typeof useChangeServer>[0]
  server: MediaServer
  onClosed: () => void
}

/** Changes the key of a media server, or where members open it. */
export function ChangeForm({ params, server, onClosed }: ChangeFormProps) {
  const { t } = useTranslation('watchlist')
  const change = useChangeServer(params)
  const [openUrl, setOpenUrl] = useState(server.openUrl ?? '')
  return (
    <AccessForm
      action={change}
      keyHint={t(`mediaServers.keyHints.${server.kind}`)}
      onSubmit={({ token }) => {
        const body = { openUrl: openUrl.trim() || null, ...(token !== '' && { token }) }
        change.mutate(body, { onSuccess: onClosed })
      }}
      onCancel={onClosed}
    >
      <OpenUrlField value={openUrl} onChange={setOpenUrl} />
    </AccessForm>
  )
}

/** The address at which browsers reach a server that this installation reaches at another one. */
function OpenUrlField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation('watchlist')
  return (
    <TextField
      label={t('mediaServers.openUrl')}
      hint={t('mediaServers.openUrlHint')}
      name="mediaServerOpenUrl"
      {...URL_FIELD}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

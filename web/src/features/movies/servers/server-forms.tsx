import {
  MEDIA_SERVER_KINDS,
  MEDIA_SERVER_PRODUCTS,
  type MediaServer,
  type MediaServerKind,
} from '@marquee/contract/entities/media-server'
import { MAX_MEDIA_KEY_LENGTH, MAX_URL_LENGTH } from '@marquee/contract/limits'
import { type ReactNode, type SubmitEvent, useState } from 'react'

import { CallFailure } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { useChangeServer, useConnectServer } from './queries.ts'
import { faultOf, useFaultText } from './server-texts.ts'

const PORTS: Readonly<Record<MediaServerKind, number>> = { jellyfin: 8096, emby: 8096, plex: 32_400 }

/** A field for an address. */
export const URL_FIELD = {
  inputMode: 'url',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  dir: 'ltr',
  maxLength: MAX_URL_LENGTH,
} as const

type ConnectFormProps = { watchlistId: string; onClosed: (server?: MediaServer) => void }

/** Connects a media server, which is asked before it is kept. */
export function ConnectForm({ watchlistId, onClosed }: ConnectFormProps) {
  const { t } = useTranslation('watchlist')
  const connect = useConnectServer(watchlistId)
  const [kind, setKind] = useState<MediaServerKind>('jellyfin')
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [openUrl, setOpenUrl] = useState('')
  const { keyFault, addressFault, failure } = useFaults(connect.error, t('mediaServers.connectFailed'))
  const body = { kind, url: url.trim(), token: token.trim(), openUrl: openUrl.trim() || null }
  return (
    <ServerForm
      isBusy={connect.isPending}
      isComplete={body.url !== '' && body.token !== ''}
      label={t('mediaServers.connect')}
      failure={failure}
      onSubmit={() => connect.mutate(body, { onSuccess: onClosed })}
      onCancel={() => onClosed()}
    >
      <Segmented
        legend={t('mediaServers.kind')}
        isCompact
        name="mediaServerKind"
        value={kind}
        options={MEDIA_SERVER_KINDS.map((value) => ({ value, label: MEDIA_SERVER_PRODUCTS[value] }))}
        onChange={setKind}
      />
      <TextField
        label={t('mediaServers.url')}
        error={addressFault}
        name="mediaServerUrl"
        {...URL_FIELD}
        required
        placeholder={`http://192.168.1.20:${PORTS[kind]}`}
        value={url}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setUrl(target.value)}
      />
      <KeyField
        label={t('mediaServers.key')}
        hint={t(`mediaServers.keyHints.${kind}`)}
        error={keyFault}
        isRequired
        value={token}
        onChange={setToken}
      />
      <OpenUrlField value={openUrl} onChange={setOpenUrl} />
    </ServerForm>
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
  const [token, setToken] = useState('')
  const [openUrl, setOpenUrl] = useState(server.openUrl ?? '')
  const { keyFault, addressFault, failure } = useFaults(change.error, t('mediaServers.changeFailed'))
  const key = token.trim()
  const body = { openUrl: openUrl.trim() || null, ...(key !== '' && { token: key }) }
  return (
    <ServerForm
      isBusy={change.isPending}
      isComplete
      label={t('mediaServers.save')}
      failure={addressFault === undefined ? failure : <p>{addressFault}</p>}
      onSubmit={() => change.mutate(body, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <KeyField
        label={t('mediaServers.newKey')}
        hint={`${t('mediaServers.newKeyHint')} ${t(`mediaServers.keyHints.${server.kind}`)}`}
        error={keyFault}
        value={token}
        hasFocus
        onChange={setToken}
      />
      <OpenUrlField value={openUrl} onChange={setOpenUrl} />
    </ServerForm>
  )
}

/** Why a server was not connected or changed: below the field that is wrong, otherwise below the fields. */
export function useFaults(error: Error | null, what: string) {
  const faultText = useFaultText()
  const fault = faultOf(error)
  return {
    keyFault: fault === 'key' ? faultText(fault) : undefined,
    addressFault: fault === undefined || fault === 'key' ? undefined : faultText(fault),
    failure: error !== null && fault === undefined && <CallFailure what={what} error={error} />,
  }
}

type ServerFormProps = {
  isBusy: boolean
  isComplete: boolean
  /** What the button does. */
  label: string
  failure: ReactNode
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

export function ServerForm({ isBusy, isComplete, label, failure, onSubmit, onCancel, children }: ServerFormProps) {
  const { t } = useTranslation('watchlist')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isComplete) onSubmit()
  }
  return (
    <form className="flex flex-col gap-4" onSubmit={submit}>
      {children}
      {failure !== false && <Banner tone="error">{failure}</Banner>}
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" tone="primary" busy={isBusy} disabled={!isComplete}>
          {label}
        </Button>
        <Button tone="quiet" disabled={isBusy} onClick={onCancel}>
          {t('mediaServers.cancel')}
        </Button>
        <output className="text-sm text-muted empty:hidden">{isBusy && t('mediaServers.asking')}</output>
      </div>
    </form>
  )
}

type KeyFieldProps = {
  label: string
  hint: string
  error: string | undefined
  isRequired?: boolean
  hasFocus?: boolean
  value: string
  onChange: (value: string) => void
}

export function KeyField({ label, hint, error, isRequired = false, hasFocus = false, value, onChange }: KeyFieldProps) {
  const { t } = useTranslation('watchlist')
  return (
    <PasswordField
      label={label}
      hint={hint}
      error={error}
      showLabel={t('mediaServers.showKey')}
      hideLabel={t('mediaServers.hideKey')}
      name="mediaServerKey"
      autoComplete="off"
      dir="ltr"
      required={isRequired}
      maxLength={MAX_MEDIA_KEY_LENGTH}
      value={value}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
      autoFocus={hasFocus}
      onChange={({ target }) => onChange(target.value)}
    />
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

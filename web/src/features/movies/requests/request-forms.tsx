import { type Askers, ASKERS, type RequestServer } from '@marquee/contract/entities/movie-request'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Segmented } from '#web/ui/segmented.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { KeyField, ServerForm, URL_FIELD, useFaults } from '../servers/server-forms.tsx'
import { useChangeRequests, useConnectRequests } from './queries.ts'

type FormProps = { watchlistId: string; onClosed: () => void }

/** Connects the server that is asked for movies, which is asked before it is kept. */
export function ConnectRequestsForm({ watchlistId, onClosed }: FormProps) {
  const { t } = useTranslation('watchlist')
  const connect = useConnectRequests(watchlistId)
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const [askers, setAskers] = useState<Askers>('members')
  const { keyFault, addressFault, failure } = useFaults(connect.error, t('mediaServers.connectFailed'))
  const body = { url: url.trim(), token: token.trim(), askers }
  return (
    <ServerForm
      isBusy={connect.isPending}
      isComplete={body.url !== '' && body.token !== ''}
      label={t('mediaServers.connect')}
      failure={failure}
      onSubmit={() => connect.mutate(body, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <TextField
        label={t('mediaServers.url')}
        error={addressFault}
        name="requestServerUrl"
        {...URL_FIELD}
        required
        placeholder="http://192.168.1.20:5055"
        value={url}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setUrl(target.value)}
      />
      <KeyField
        label={t('mediaServers.key')}
        hint={t('mediaServers.requests.keyHint')}
        error={keyFault}
        isRequired
        value={token}
        onChange={setToken}
      />
      <AskersField value={askers} onChange={setAskers} />
    </ServerForm>
  )
}

/** Changes the key of the server, or who may ask. */
export function ChangeRequestsForm({ watchlistId, server, onClosed }: FormProps & { server: RequestServer }) {
  const { t } = useTranslation('watchlist')
  const change = useChangeRequests(watchlistId)
  const [token, setToken] = useState('')
  const [askers, setAskers] = useState(server.askers)
  const { keyFault, addressFault, failure } = useFaults(change.error, t('mediaServers.changeFailed'))
  const key = token.trim()
  return (
    <ServerForm
      isBusy={change.isPending}
      isComplete
      label={t('mediaServers.save')}
      failure={addressFault === undefined ? failure : <p>{addressFault}</p>}
      onSubmit={() => change.mutate({ askers, ...(key !== '' && { token: key }) }, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <KeyField
        label={t('mediaServers.newKey')}
        hint={`${t('mediaServers.newKeyHint')} ${t('mediaServers.requests.keyHint')}`}
        error={keyFault}
        value={token}
        hasFocus
        onChange={setToken}
      />
      <AskersField value={askers} onChange={setAskers} />
    </ServerForm>
  )
}

function AskersField({ value, onChange }: { value: Askers; onChange: (askers: Askers) => void }) {
  const { t } = useTranslation('watchlist')
  return (
    <Segmented
      legend={t('mediaServers.requests.askers')}
      isCompact
      name="askers"
      value={value}
      options={ASKERS.map((one) => ({ value: one, label: t(`mediaServers.requests.askersChoice.${one}`) }))}
      onChange={onChange}
    />
  )
}

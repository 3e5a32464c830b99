import { type Askers, ASKERS, type RequestServer } from '@marquee/contract/entities/movie-request'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Segmented } from '#web/ui/segmented.tsx'

import { AccessForm } from '../servers/access-form.tsx'
import { useChangeRequests, useConnectRequests } from './queries.ts'

type FormProps = { watchlistId: string; onClosed: () => void }

/** Connects the server that is asked for movies, which is asked before it is kept. */
export function ConnectRequestsForm({ watchlistId, onClosed }: FormProps) {
  const { t } = useTranslation('watchlist')
  const connect = useConnectRequests(watchlistId)
  const [askers, setAskers] = useState<Askers>('members')
  return (
    <AccessForm
      action={connect}
      address={{ name: 'requestServerUrl', placeholder: 'http://192.168.1.20:5055' }}
      keyHint={t('mediaServers.requests.keyHint')}
      onSubmit={(access) => connect.mutate({ ...access, askers }, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <AskersField value={askers} onChange={setAskers} />
    </AccessForm>
  )
}

/** Changes the key of the server, or who may ask. */
export function ChangeRequestsForm({ watchlistId, server, onClosed }: FormProps & { server: RequestServer }) {
  const { t } = useTranslation('watchlist')
  const change = useChangeRequests(watchlistId)
  const [askers, setAskers] = useState(server.askers)
  return (
    <AccessForm
      action={change}
      keyHint={t('mediaServers.requests.keyHint')}
      onSubmit={({ token }) => change.mutate({ askers, ...(token !== '' && { token }) }, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <AskersField value={askers} onChange={setAskers} />
    </AccessForm>
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

import type { MediaServerKind } from '@marquee/contract/entities/media-server'
import { MAX_MEDIA_PASSWORD_LENGTH, MAX_MEDIA_USER_LENGTH } from '@marquee/contract/limits'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { ShortForm } from '#web/ui/short-form.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import {
  hasEnded,
  mediaAccounts,
  mediaLinks,
  quickConnectAnswer,
  type ServerParams,
  useClaimAccount,
  useLinkWithPassword,
  useQuickConnect,
} from './link-queries.ts'

type FormProps = { params: ServerParams; onClosed: () => void }

/** Links the user of a server, in the way of its kind. */
export function LinkForm({ kind, ...props }: FormProps & { kind: MediaServerKind }) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The form replaces the button that was pressed, and not every kind begins with a field.
    if (place.current?.contains(document.activeElement) === false) place.current.focus()
  }, [])
  const Form = FORMS[kind]
  return (
    <div ref={place} tabIndex={-1} className="focus:outline-none">
      <Form {...props} />
    </div>
  )
}

const FORMS = { jellyfin: CodeForm, emby: PasswordForm, plex: AccountForm } as const

/** A code that the user enters in Jellyfin. */
function CodeForm({ params, onClosed }: FormProps) {
  const { t } = useTranslation('watchlist')
  const begun = useQuickConnect(params)
  const { mutate } = begun
  useEffect(() => {
    mutate()
  }, [mutate])
  return (
    <div className="flex flex-col gap-3">
      {begun.isPending && <Waiting label={t('mediaServers.asking')} />}
      {begun.data && (
        <EnteredCode key={begun.data.attempt} params={params} attempt={begun.data.attempt} onLinked={onClosed}>
          <p className="text-sm">{t('mediaServers.links.code')}</p>
          <output dir="ltr" className="text-2xl font-semibold tracking-widest">
            {begun.data.code}
          </output>
        </EnteredCode>
      )}
      <Failure error={begun.error} />
      <div className="flex flex-wrap gap-2">
        <Button tone="quiet" size="small" disabled={begun.isPending} onClick={() => mutate()}>
          {t('mediaServers.links.newCode')}
        </Button>
        <Button tone="quiet" size="small" onClick={onClosed}>
          {t('mediaServers.cancel')}
        </Button>
      </div>
    </div>
  )
}

type EnteredCodeProps = { params: ServerParams; attempt: string; onLinked: () => void; children: ReactNode }

/** Waits until the user has entered the code. */
function EnteredCode({ params, attempt, onLinked, children }: EnteredCodeProps) {
  const { t } = useTranslation('watchlist')
  const client = useQueryClient()
  const { data, error } = useQuery(quickConnectAnswer(params, attempt))
  const isLinked = Boolean(data)
  const close = useEffectEvent(onLinked)
  useEffect(() => {
    if (!isLinked) return
    void client.invalidateQueries(mediaLinks(params.watchlistId)).then(() => close())
  }, [isLinked, client, params.watchlistId])
  if (hasEnded(error)) return <Failure error={error} />
  return (
    <>
      {children}
      <Waiting label={t('mediaServers.links.waitingForCode')} />
    </>
  )
}

/** Name and password of Emby. */
function PasswordForm({ params, onClosed }: FormProps) {
  const { t } = useTranslation('watchlist')
  const link = useLinkWithPassword(params)
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  return (
    <ShortForm
      submitLabel={t('mediaServers.links.link')}
      cancelLabel={t('mediaServers.cancel')}
      isBusy={link.isPending}
      isComplete={name.trim() !== ''}
      onSubmit={() => link.mutate({ name: name.trim(), password }, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      <TextField
        label={t('mediaServers.links.user')}
        name="mediaUser"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={MAX_MEDIA_USER_LENGTH}
        value={name}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <PasswordField
        label={t('mediaServers.links.password')}
        hint={t('mediaServers.links.passwordHint')}
        showLabel={t('mediaServers.links.showPassword')}
        hideLabel={t('mediaServers.links.hidePassword')}
        name="mediaPassword"
        autoComplete="off"
        maxLength={MAX_MEDIA_PASSWORD_LENGTH}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Failure error={link.error} />
    </ShortForm>
  )
}

/** The account of Plex, which the member who gave the key confirms. */
function AccountForm({ params, onClosed }: FormProps) {
  const { t } = useTranslation('watchlist')
  const claim = useClaimAccount(params)
  const { data, error, isPending } = useQuery(mediaAccounts(params))
  const [accountId, setAccountId] = useState('')
  if (isPending) return <Waiting label={t('mediaServers.asking')} />
  return (
    <ShortForm
      submitLabel={t('mediaServers.links.claim')}
      cancelLabel={t('mediaServers.cancel')}
      isBusy={claim.isPending}
      isComplete={accountId !== ''}
      onSubmit={() => claim.mutate(accountId, { onSuccess: onClosed })}
      onCancel={onClosed}
    >
      {data && (
        <SelectField
          label={t('mediaServers.links.account')}
          name="mediaAccount"
          value={accountId}
          onChange={setAccountId}
        >
          <option value="">{t('mediaServers.links.choose')}</option>
          {data.map(({ accountId: id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <p className="text-sm text-muted">{t('mediaServers.links.claimHint')}</p>
      <Failure error={error ?? claim.error} />
    </ShortForm>
  )
}

function Waiting({ label }: { label: string }) {
  return (
    <p className="text-sm">
      <Spinner label={label} />
    </p>
  )
}

function Failure({ error }: { error: Error | null }) {
  const { t } = useTranslation('watchlist')
  return <CallFailureBanner what={t('mediaServers.links.failed')} error={error} />
}

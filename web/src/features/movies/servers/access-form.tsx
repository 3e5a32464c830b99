import { MAX_MEDIA_KEY_LENGTH, MAX_URL_LENGTH } from '@marquee/contract/limits'
import { type ReactNode, useState } from 'react'

import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { ShortForm } from '#web/ui/short-form.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { faultOf, useFaultText } from './server-texts.ts'

/** A field for an address. */
export const URL_FIELD = {
  inputMode: 'url',
  autoComplete: 'off',
  autoCapitalize: 'none',
  spellCheck: false,
  dir: 'ltr',
  maxLength: MAX_URL_LENGTH,
} as const

type AccessFormProps = {
  /** The field for the address of a new server. A connected server keeps its address, and its key if the field is empty. */
  address?: { name: string; placeholder: string }
  keyHint: string
  /** The mutation that `onSubmit` starts. */
  action: { isPending: boolean; error: Error | null }
  onSubmit: (access: { url: string; token: string }) => void
  onCancel: () => void
  /** Fields above address and key. */
  above?: ReactNode
  /** Fields below them. */
  children: ReactNode
}

/** Address and key of a new server, or a new key. */
export function AccessForm({ address, keyHint, action, onSubmit, onCancel, above, children }: AccessFormProps) {
  const { t } = useTranslation('watchlist')
  const faultText = useFaultText()
  const [url, setUrl] = useState('')
  const [token, setToken] = useState('')
  const access = { url: url.trim(), token: token.trim() }
  const isNew = address !== undefined
  const fault = faultOf(action.error)
  return (
    <ShortForm
      submitLabel={t(isNew ? 'mediaServers.connect' : 'mediaServers.save')}
      cancelLabel={t('mediaServers.cancel')}
      isBusy={action.isPending}
      busyText={t('mediaServers.asking')}
      isComplete={!isNew || (access.url !== '' && access.token !== '')}
      onSubmit={() => onSubmit(access)}
      onCancel={onCancel}
    >
      {above}
      {isNew && (
        <TextField
          {...URL_FIELD}
          {...address}
          label={t('mediaServers.url')}
          error={fault === undefined || fault === 'key' ? undefined : faultText(fault)}
          required
          value={url}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
          autoFocus
          onChange={({ target }) => setUrl(target.value)}
        />
      )}
      <PasswordField
        label={t(isNew ? 'mediaServers.key' : 'mediaServers.newKey')}
        hint={isNew ? keyHint : `${t('mediaServers.newKeyHint')} ${keyHint}`}
        error={fault === 'key' ? faultText(fault) : undefined}
        showLabel={t('mediaServers.showKey')}
        hideLabel={t('mediaServers.hideKey')}
        name="mediaServerKey"
        autoComplete="off"
        dir="ltr"
        required={isNew}
        maxLength={MAX_MEDIA_KEY_LENGTH}
        value={token}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form replaces the button that was pressed
        autoFocus={!isNew}
        onChange={({ target }) => setToken(target.value)}
      />
      {children}
      <AccessFailure isNew={isNew} error={action.error} />
    </ShortForm>
  )
}

/** Why a server was not connected or changed, if that does not belong to a field. */
function AccessFailure({ isNew, error }: { isNew: boolean; error: Error | null }) {
  const { t } = useTranslation('watchlist')
  const faultText = useFaultText()
  const fault = faultOf(error)
  if (fault === undefined)
    return (
      <CallFailureBanner what={t(isNew ? 'mediaServers.connectFailed' : 'mediaServers.changeFailed')} error={error} />
    )
  if (isNew || fault === 'key') return null
  return (
    <Banner tone="error">
      <p>{faultText(fault)}</p>
    </Banner>
  )
}

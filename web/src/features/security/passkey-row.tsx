import { MAX_PASSKEY_NAME_LENGTH, type Passkey } from '@marquee/contract/entities/account'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { dayText, momentText } from '#web/i18n/dates.ts'
import { features } from '#web/session/features.ts'
import { identityFailure } from '#web/session/identity-failure.ts'
import { removePasskey } from '#web/session/account-security.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'

import { ChangeFailure } from './change-failure.tsx'
import { useAccountChange, useRenamePasskey } from './queries.ts'

/** A passkey in the list of its owner, who may name it or remove it. */
export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('auth')
  const { passkeyId, name, createdAt, usedAt } = passkey
  const { accountService } = features()
  const [isNaming, setNaming] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const remove = useAccountChange(async () => removePasskey(passkeyId))
  const made = t('security.passkeys.made', { day: dayText(createdAt) })
  const used =
    usedAt === null ? t('security.passkeys.neverUsed') : t('security.passkeys.used', { moment: momentText(usedAt) })
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      {isNaming ? (
        <NameForm passkey={passkey} onClosed={() => setNaming(false)} />
      ) : (
        <>
          <div className="flex min-w-0 flex-1 flex-col">
            <span className="truncate font-semibold">{name}</span>
            <span className="text-sm text-muted">
              {accountService ? t('security.passkeys.times', { made, used }) : made}
            </span>
          </div>
          {accountService && (
            <Button
              tone="quiet"
              size="small"
              aria-label={t('security.passkeys.renameNamed', { name })}
              onClick={() => setNaming(true)}
            >
              {t('security.passkeys.rename')}
            </Button>
          )}
          <Button
            tone="quiet"
            size="small"
            aria-label={t('security.passkeys.removeNamed', { name })}
            onClick={() => setAsking(true)}
          >
            {t('security.passkeys.remove')}
          </Button>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.passkeys.removeTitle', { name })}
        description={t('security.passkeys.removeText')}
        confirmLabel={t('security.passkeys.remove')}
        cancelLabel={t('security.cancel')}
        isBusy={remove.isPending}
        failure={remove.isError ? identityFailure(remove.error, t('errors.security')).message : undefined}
        onConfirm={() => remove.mutate()}
        onCancel={() => setAsking(false)}
      />
    </li>
  )
}

function NameForm({ passkey, onClosed }: { passkey: Passkey; onClosed: () => void }) {
  const { t } = useTranslation('auth')
  const [name, setName] = useState(passkey.name)
  const rename = useRenamePasskey()
  function save(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    rename.mutate({ passkeyId: passkey.passkeyId, name }, { onSuccess: onClosed })
  }
  return (
    <form onSubmit={save} className="flex flex-1 flex-wrap items-end gap-2">
      <div className="min-w-48 flex-1">
        <TextField
          label={t('security.passkeys.name')}
          name="passkeyName"
          autoComplete="off"
          required
          maxLength={MAX_PASSKEY_NAME_LENGTH}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <Button type="submit" tone="primary" busy={rename.isPending} disabled={name.trim() === ''}>
        {t('security.passkeys.save')}
      </Button>
      <Button tone="quiet" disabled={rename.isPending} onClick={onClosed}>
        {t('security.cancel')}
      </Button>
      <div className="w-full empty:hidden">
        <ChangeFailure error={rename.error} />
      </div>
    </form>
  )
}

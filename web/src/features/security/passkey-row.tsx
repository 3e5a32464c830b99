import { MAX_PASSKEY_NAME_LENGTH, type Passkey } from '@marquee/contract/entities/account'
import { type SubmitEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { dayText, momentText } from '#web/i18n/dates.ts'
import { features } from '#web/session/features.ts'
import { removePasskey } from '#web/session/account-security.ts'
import { Button } from '#web/ui/button.tsx'
import { focusSoon } from '#web/ui/focus-soon.ts'
import { TextField } from '#web/ui/text-field.tsx'

import { AccountRow } from './account-row.tsx'
import { ChangeFailure } from './change-failure.tsx'
import { ConfirmedChange } from './confirmed-change.tsx'
import { useRenamePasskey } from './mutations.ts'

/** A passkey in the list of its owner, who may name it or remove it. */
export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('auth')
  const { passkeyId, name, createdAt, usedAt } = passkey
  const { accountService } = features()
  const [isNaming, setNaming] = useState(false)
  const renameButton = useRef<HTMLButtonElement>(null)
  const made = t('security.passkeys.made', { day: dayText(createdAt) })
  const used =
    usedAt === null ? t('security.passkeys.neverUsed') : t('security.passkeys.used', { moment: momentText(usedAt) })

  function close() {
    setNaming(false)
    focusSoon(renameButton)
  }

  if (isNaming) return <NameForm passkey={passkey} onClosed={close} />
  return (
    <AccountRow name={name} times={accountService ? t('security.passkeys.times', { made, used }) : made}>
      {accountService && (
        <Button
          ref={renameButton}
          tone="quiet"
          size="small"
          aria-label={t('security.passkeys.renameNamed', { name })}
          onClick={() => setNaming(true)}
        >
          {t('security.passkeys.rename')}
        </Button>
      )}
      <ConfirmedChange
        size="small"
        label={t('security.passkeys.remove')}
        aria-label={t('security.passkeys.removeNamed', { name })}
        question={t('security.passkeys.removeTitle', { name })}
        lost={t('security.passkeys.removeText')}
        change={async () => removePasskey(passkeyId)}
      />
    </AccountRow>
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
    <li className="py-3">
      <form onSubmit={save} className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 flex-1 basis-64">
          <TextField
            label={t('security.passkeys.name')}
            name="passkeyName"
            autoComplete="off"
            required
            maxLength={MAX_PASSKEY_NAME_LENGTH}
            value={name}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field stands where the button was pressed
            autoFocus
            onFocus={({ target }) => target.select()}
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
    </li>
  )
}

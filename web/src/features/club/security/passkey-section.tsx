import { MAX_PASSKEY_NAME_LENGTH, type Passkey } from '@marquee/contract/entities/account'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'

import { addPasskey, removePasskey } from '#web/account/account-security.ts'
import { passkeyFailure } from '#web/account/failures.ts'
import { features } from '#web/config.ts'
import { dayText } from '#web/i18n/dates.ts'
import { RelativeTime } from '#web/i18n/relative-time.tsx'
import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useOpener } from '#web/ui/use-opener.ts'

import { useAccountChange, useRenamePasskey } from './mutations.ts'
import { ownPasskeys } from './queries.ts'
import { AccountList, ChangeFailure, Section, AccountRow, ConfirmedChange } from './section.tsx'

/** The passkeys of the user, and a button for a new one. */
export function PasskeySection() {
  const { t } = useTranslation('auth')
  const passkeys = useQuery(ownPasskeys)
  const add = useAccountChange(addPasskey)
  const canMake = 'PublicKeyCredential' in globalThis
  return (
    <Section title={t('security.passkeys.title')}>
      <p className="text-muted">{t('security.passkeys.description')}</p>
      <AccountList
        query={passkeys}
        label={t('security.passkeys.listLabel')}
        none={t('security.passkeys.none')}
        failed={t('security.passkeys.failed')}
        row={(passkey) => <PasskeyRow key={passkey.passkeyId} passkey={passkey} />}
      />
      <AddFailure error={add.error} />
      {canMake ? (
        <Button
          tone={passkeys.data?.length === 0 ? 'primary' : 'quiet'}
          className="self-start"
          busy={add.isPending}
          onClick={() => add.mutate()}
        >
          {t('security.passkeys.add')}
        </Button>
      ) : (
        <p>{t(isSecureContext ? 'security.passkeys.unsupported' : 'security.passkeys.insecure')}</p>
      )}
    </Section>
  )
}

function AddFailure({ error }: { error: Error | null }) {
  const { t } = useTranslation('auth')
  const failure = passkeyFailure(error)
  return failure ? <Banner tone={failure.tone}>{t(failure.text)}</Banner> : <ChangeFailure error={error} />
}

/** A passkey, which can be renamed and removed. */
function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('auth')
  const { passkeyId, name, createdAt, usedAt } = passkey
  const { accountService } = features()
  const { isOpen, open, close, ref } = useOpener()
  const made = t('security.passkeys.made', { day: dayText(createdAt) })
  const timesWith = (used: string) => (accountService ? t('security.passkeys.times', { made, used }) : made)

  if (isOpen) return <NameForm passkey={passkey} onClosed={close} />
  return (
    <AccountRow
      name={name}
      times={
        usedAt === null ? (
          timesWith(t('security.passkeys.neverUsed'))
        ) : (
          <RelativeTime iso={usedAt}>{(moment) => timesWith(t('security.passkeys.used', { moment }))}</RelativeTime>
        )
      }
    >
      {accountService && (
        <Button
          ref={ref}
          tone="quiet"
          size="small"
          aria-label={t('security.passkeys.renameNamed', { name })}
          onClick={open}
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
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the field replaces the button that was pressed
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

import { isSameUser } from '@marquee/contract/rules/account'
import { useState } from 'react'

import { deleteAccount } from '#web/account/account-security.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { useSession } from '#web/session/use-session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { BriefSuccess } from '#web/ui/brief-success.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { saveJson } from '#web/ui/save-file.ts'

import { useExportData, useAccountChange } from './mutations.ts'
import { Section, ChangeFailure } from './section.tsx'

/** Downloads all data about the user. */
export function ExportSection() {
  const { t } = useTranslation('auth')
  const fetchAll = useExportData()
  return (
    <Section title={t('security.export.title')}>
      <p className="text-muted">{t('security.export.description')}</p>
      {fetchAll.isError && <Banner tone="error">{t('security.export.failed')}</Banner>}
      {fetchAll.isSuccess && <BriefSuccess onEnd={fetchAll.reset}>{t('security.export.done')}</BriefSuccess>}
      <Button
        tone="primary"
        className="self-start"
        busy={fetchAll.isPending}
        onClick={() => fetchAll.mutate(undefined, { onSuccess: (data) => saveJson(data, 'marquee.json') })}
      >
        {t('security.export.download')}
      </Button>
    </Section>
  )
}

/** Deletes the account. The user has to type their name. */
export function DeleteSection({ username }: { username: string }) {
  const { t } = useTranslation('auth')
  const { refresh } = useSession()
  const [isAsking, setAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useAccountChange(async () => {
    await deleteAccount()
    await refresh()
  })
  const isMeant = isSameUser(typed, username)
  const close = () => {
    if (remove.isPending) return
    setAsking(false)
    setTyped('')
  }
  return (
    <Section title={t('security.delete.title')}>
      <p className="text-muted">{t('security.delete.description')}</p>
      <Button tone="danger" className="self-start" onClick={() => setAsking(true)}>
        {t('security.delete.open')}
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={close}
        title={t('security.delete.question')}
        description={t('security.delete.lost')}
        actions={
          <>
            <Button tone="quiet" disabled={remove.isPending} onClick={close}>
              {t('security.cancel')}
            </Button>
            <Button tone="danger" disabled={!isMeant} busy={remove.isPending} onClick={() => remove.mutate()}>
              {t('security.delete.confirm')}
            </Button>
          </>
        }
      >
        <div className="mt-4 flex flex-col gap-4">
          <TextField
            label={t('security.delete.type', { name: username })}
            name="username"
            autoComplete="off"
            value={typed}
            data-autofocus
            onChange={({ target }) => setTyped(target.value)}
          />
          <ChangeFailure error={remove.error} />
        </div>
      </Dialog>
    </Section>
  )
}

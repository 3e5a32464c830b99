import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { addPasskey } from '#web/session/account-security.ts'
import { passkeyFailure } from '#web/session/passkey-failure.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AccountList } from './account-list.tsx'
import { ChangeFailure } from './change-failure.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { useAccountChange } from './mutations.ts'
import { ownPasskeys } from './queries.ts'
import { Section } from './section.tsx'

/** The passkeys one can sign in with: what each is called, when it was used, and new ones. */
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

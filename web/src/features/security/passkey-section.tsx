import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

import { addPasskey } from '#web/session/account-security.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

import { ChangeFailure } from './change-failure.tsx'
import { LoadFailure } from './load-failure.tsx'
import { PasskeyRow } from './passkey-row.tsx'
import { ownPasskeys, useAccountChange } from './queries.ts'
import { Section } from './section.tsx'

/** The passkeys one can sign in with: what each is called, when it was used, and new ones. */
export function PasskeySection() {
  const { t } = useTranslation('auth')
  const { data: passkeys, isError, refetch } = useQuery(ownPasskeys)
  const add = useAccountChange(addPasskey)
  const canMake = 'PublicKeyCredential' in globalThis
  return (
    <Section title={t('security.passkeys.title')}>
      <p className="text-muted">{t('security.passkeys.description')}</p>
      {isError && <LoadFailure text={t('security.passkeys.failed')} onRetry={refetch} />}
      {!isError && passkeys === undefined && <Skeleton className="h-16" />}
      {passkeys?.length === 0 && <p className="text-muted">{t('security.passkeys.none')}</p>}
      {passkeys !== undefined && passkeys.length > 0 && (
        <ul aria-label={t('security.passkeys.listLabel')} className="flex flex-col divide-y divide-line">
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.passkeyId} passkey={passkey} />
          ))}
        </ul>
      )}
      <AddFailure error={add.error} />
      {canMake ? (
        <Button
          tone={passkeys?.length === 0 ? 'primary' : 'quiet'}
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

/** What a browser says of a passkey that was not made is for programs; these are our words for it. */
function AddFailure({ error }: { error: Error | null }) {
  const { t } = useTranslation('auth')
  if (error?.name === 'PasskeyAlreadyExists') return <Banner tone="error">{t('security.passkeys.exists')}</Banner>
  if (error?.name.startsWith('Passkey') === true) return <Banner tone="info">{t('security.passkeys.canceled')}</Banner>
  return <ChangeFailure error={error} />
}

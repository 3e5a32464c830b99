import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Banner } from '#web/ui/banner.tsx'
import { Button, buttonStyle } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { CopyText } from '#web/ui/copy-text.tsx'

import { useMakeRecoveryCodes } from './mutations.ts'
import { recoveryCodesLeft } from './queries.ts'
import { Section } from './section.tsx'

type RecoveryCodesProps = {
  /** The app was turned on a moment ago: this is the time to make some. */
  isOffered: boolean
}

/** The codes that replace the authenticator app: how many are left, and new ones, shown once. */
export function RecoveryCodes({ isOffered }: RecoveryCodesProps) {
  const { t } = useTranslation('auth')
  const { data: left } = useQuery(recoveryCodesLeft)
  const [isAsking, setAsking] = useState(false)
  const make = useMakeRecoveryCodes()
  const makeNow = () => make.mutate(undefined, { onSuccess: () => setAsking(false) })
  const failure = make.isError ? t('security.recovery.failed') : undefined

  return (
    <Section title={t('security.recovery.title')}>
      <p className="text-muted">
        {t('security.recovery.description')} {left !== undefined && t('security.recovery.left', { count: left })}
      </p>
      {isOffered && make.data === undefined && <Banner tone="success">{t('security.recovery.offer')}</Banner>}
      {make.data !== undefined && <FreshCodes codes={make.data} />}
      {failure !== undefined && !isAsking && <Banner tone="error">{failure}</Banner>}
      <Button
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the form that turned the app on is gone
        autoFocus={isOffered}
        tone={left === 0 ? 'primary' : 'quiet'}
        className="self-start"
        busy={make.isPending && !isAsking}
        onClick={() => (left === 0 ? makeNow() : setAsking(true))}
      >
        {t('security.recovery.make')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('security.recovery.makeTitle')}
        description={t('security.recovery.makeText')}
        confirmLabel={t('security.recovery.make')}
        cancelLabel={t('security.cancel')}
        isBusy={make.isPending}
        failure={failure}
        onConfirm={makeNow}
        onCancel={() => setAsking(false)}
      />
    </Section>
  )
}

function FreshCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('auth')
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-3">
      <Banner tone="success">{t('security.recovery.shown')}</Banner>
      <ol className="grid grid-cols-2 gap-x-6 gap-y-1 rounded-control bg-raised p-4 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <CopyText text={text} label={t('security.recovery.copy')} doneLabel={t('security.recovery.copied')} />
        <a
          className={buttonStyle('quiet', 'small')}
          download="marquee-recovery-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          {t('security.recovery.download')}
        </a>
      </div>
    </div>
  )
}

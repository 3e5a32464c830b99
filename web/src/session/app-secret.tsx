import { useTranslation } from 'react-i18next'

import { CopyText } from '#web/ui/copy-text.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

/** What an authenticator app has to learn: as a QR code, and to be typed or copied. */
export function AppSecret({ secret, uri }: { secret: string; uri: string }) {
  const { t } = useTranslation('auth')
  return (
    <>
      <QrCode text={uri} label={t('security.app.qr')} />
      <div className="flex flex-col gap-2">
        <p className="text-sm text-muted">{t('security.app.secret')}</p>
        <div className="flex flex-wrap items-center gap-3">
          <code className="min-w-0 rounded-control bg-raised px-3 py-2 text-base break-all" data-testid="app-secret">
            {inGroups(secret)}
          </code>
          <CopyText text={secret} label={t('security.app.copy')} doneLabel={t('security.app.copied')} />
        </div>
      </div>
    </>
  )
}

/** In fours, to be typed without losing the place. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/gu)?.join(' ') ?? ''
}

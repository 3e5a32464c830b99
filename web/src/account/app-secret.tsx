import '#web/i18n/security-texts.ts'
import { useTranslation } from '#web/i18n/texts.ts'
import { CopyText } from '#web/ui/copy-text.tsx'
import { QrCode } from '#web/ui/qr-code.tsx'

/** The secret for an authenticator app, as a QR code and as text. */
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

/** Groups of four are easier to type. */
function inGroups(secret: string): string {
  return secret.match(/.{1,4}/gu)?.join(' ') ?? ''
}

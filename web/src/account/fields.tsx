import { CODE_LENGTH } from '@marquee/contract/limits'
import { type ComponentProps, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { renderSVG } from 'uqr'

import { CopyText } from '#web/ui/copy-text.tsx'
import { TextField } from '#web/ui/text-field.tsx'

type CodeFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'hint' | 'type'> & {
  /** Codes that sign in by mail are longer than the others. */
  isOfAnyLength?: boolean
}

/** A code as it is sent: mail programs and people put spaces into codes. */
export function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/gu, '')
}

/** The code from the mail. Phones offer a numeric keyboard and the code itself. */
export function CodeField({ isOfAnyLength = false, ...props }: CodeFieldProps) {
  const { t } = useTranslation('auth')
  return (
    <TextField
      {...props}
      label={t('fields.code')}
      hint={isOfAnyLength ? undefined : t('hints.code', { count: CODE_LENGTH })}
      autoComplete="one-time-code"
      inputMode="numeric"
      required
    />
  )
}

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

/** A QR code, dark on white in both themes, since cameras look for that. */
function QrCode({ text, label }: { text: string; label: string }) {
  const source = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(text, { border: 3 }))}`, [text])
  return <img src={source} alt={label} width={224} height={224} className="max-w-full rounded-control bg-white" />
}

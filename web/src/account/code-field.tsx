import { CODE_LENGTH } from '@marquee/contract/limits'
import type { ComponentProps } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { TextField } from '#web/ui/text-field.tsx'

type CodeFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'hint' | 'type'> & {
  /** Codes that sign in by mail are longer than the others. */
  isOfAnyLength?: boolean
}

/** A code as it is sent. Mail programs and users put spaces into codes. */
export function withoutSpaces(code: string): string {
  return code.replaceAll(/\s/gu, '')
}

/** The code from a mail. Phones offer a numeric keyboard and the code itself. */
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

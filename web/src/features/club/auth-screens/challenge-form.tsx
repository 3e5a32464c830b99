import type { ComponentProps, ReactNode } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

import { AuthHeading } from './auth-heading.tsx'
import type { useChallengeForm } from './use-challenge-form.ts'

type ChallengeFormProps = Pick<ComponentProps<typeof AuthHeading>, 'title' | 'textId'> & {
  /** Its `failure` is shown above the fields. A form that shows it elsewhere leaves it out. */
  form: Pick<ReturnType<typeof useChallengeForm>, 'formProps' | 'isBusy'> & { failure?: string | undefined }
  /** What is asked, below the title. */
  text?: string
  children: ReactNode
  /** Further actions, below the button. */
  more?: ReactNode
}

/** The screen of a challenge. */
export function ChallengeForm({ form, text, children, more, ...heading }: ChallengeFormProps) {
  const { t } = useTranslation('auth')
  const { formProps, isBusy, failure } = form
  return (
    <>
      <AuthHeading {...heading}>{text}</AuthHeading>
      <form {...formProps} className="flex flex-col gap-4">
        {failure !== undefined && <Banner tone="error">{failure}</Banner>}
        {children}
        <Button type="submit" tone="primary" size="large" busy={isBusy}>
          {t('challenge.submit')}
        </Button>
        {more}
      </form>
    </>
  )
}

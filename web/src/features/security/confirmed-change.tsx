import { type ComponentProps, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { useIdentityMessage } from '#web/session/use-identity-message.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

import { useAccountChange } from './mutations.ts'
import { useFocusLeftBehind } from './section.tsx'

type ConfirmedChangeProps = Omit<ComponentProps<typeof Button>, 'tone' | 'busy' | 'onClick' | 'children'> & {
  /** What is done, on the button and in the answer to the question. */
  label: string
  question: string
  /** What will be lost. */
  lost: string
  change: () => Promise<unknown>
}

/** A button for what loses something: it asks first, and is gone with what it changed, or busy until then. */
export function ConfirmedChange({ label, question, lost, change, ...button }: ConfirmedChangeProps) {
  const { t } = useTranslation('auth')
  const messageOf = useIdentityMessage()
  const [isAsking, setAsking] = useState(false)
  const leaveFocus = useFocusLeftBehind()
  const { mutate, isPending, isError, error } = useAccountChange(async () => {
    await change()
    leaveFocus()
    setAsking(false)
  })
  return (
    <>
      <Button {...button} tone="quiet" busy={isPending && !isAsking} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        title={question}
        description={lost}
        confirmLabel={label}
        cancelLabel={t('security.cancel')}
        isBusy={isPending}
        failure={isError ? messageOf(error, 'errors.security') : undefined}
        onConfirm={() => mutate()}
        onCancel={() => setAsking(false)}
      />
    </>
  )
}

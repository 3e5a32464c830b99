import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'

/** Asks yes or no before a comment is deleted. The safe answer has the focus; Escape is no. */
export function DeleteQuestion({ onYes, onNo }: { onYes: () => void; onNo: () => void }) {
  const { t } = useTranslation('moviecard')
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape is the keyboard's way to the button that says no
    <fieldset
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Escape') onNo()
      }}
      className="flex flex-wrap items-center gap-2 pt-1"
    >
      <legend className="float-left text-sm font-semibold">{t('comments.deleteQuestion')}</legend>
      <Button tone="danger" size="small" onClick={onYes}>
        {t('comments.yes')}
      </Button>
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the button that asked has given way to this one */}
      <Button tone="quiet" size="small" autoFocus onClick={onNo}>
        {t('comments.no')}
      </Button>
    </fieldset>
  )
}

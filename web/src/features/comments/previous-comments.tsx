import { ChevronUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'

/** Loads the comments before those that are shown. */
export function PreviousComments({ isLoading, onLoad }: { isLoading: boolean; onLoad: () => void }) {
  const { t } = useTranslation('moviecard')
  return (
    <Button
      tone="quiet"
      size="small"
      icon={<ChevronUp aria-hidden />}
      busy={isLoading}
      onClick={onLoad}
      className="self-start"
    >
      {t('comments.loadPrevious')}
    </Button>
  )
}

import { Check, Eye } from 'lucide-react'

import { useTranslation } from '#web/i18n/texts.ts'
import { KEPT } from '#web/api/kept.ts'
import { CallFailureBanner } from '#web/api/call-failure.tsx'
import { Button } from '#web/ui/button.tsx'

import { cardFailure } from '../card-failure.tsx'
import '../lazy-texts.ts'
import { useSaveViewing } from '../viewings/mutations.ts'
import type { CardPlace } from '../comment-queries.ts'

type SpoilerWallProps = {
  place: CardPlace
  title: string
  count: number
  hasMore: boolean
  /** The comments are about to be shown. */
  onOpen: () => void
  onReadAnyway: () => void
}

/** Takes the place of comments about a movie that the user has not seen. */
export function SpoilerWall({ place, title, count, hasMore, onOpen, onReadAnyway }: SpoilerWallProps) {
  const { t } = useTranslation('moviecard')
  const seen = useSaveViewing(place, title)
  return (
    <div className="flex flex-col gap-2 rounded-control border border-line p-3">
      <p className="text-sm text-muted">{t(hasMore ? 'spoilers.atLeast' : 'spoilers.folded', { count })}</p>
      <CallFailureBanner what={t('seen.failed')} kind={cardFailure('edit', seen.error)} error={seen.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          tone="quiet"
          size="small"
          icon={<Check aria-hidden />}
          busy={seen.isPending}
          onClick={() =>
            seen.mutate(
              {},
              {
                onSuccess: (saved) => {
                  if (saved === KEPT) onReadAnyway()
                  onOpen()
                },
              },
            )
          }
        >
          {t('spoilers.seen')}
        </Button>
        <Button
          tone="quiet"
          size="small"
          icon={<Eye aria-hidden />}
          onClick={() => {
            onReadAnyway()
            onOpen()
          }}
        >
          {t('spoilers.read')}
        </Button>
      </div>
    </div>
  )
}

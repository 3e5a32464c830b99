import type { Card } from '@marquee/contract/entities/card'
import { Upload } from 'lucide-react'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'
import { TitlePoster } from '#web/ui/title-poster.tsx'

import noPoster from './no-poster.svg'

/** In the feed, the buttons below it stay on a phone's screen. */
const SIZE = 'max-h-[min(60svh,calc(100svh-26rem))] w-full sm:max-h-none'

/** A poster, 2:3, with its space reserved before it loads. A placeholder replaces one that is missing or broken. */
export function Poster({ card }: { card: Pick<Card, 'imageUrl' | 'posterState' | 'title'> }) {
  const { t } = useTranslation('moviecard')
  const { imageUrl, posterState, title } = card
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (posterState === 'none') return <TitlePoster title={title} className={SIZE} />
  const isShown = posterState === undefined && imageUrl !== brokenUrl
  const missingText = posterState === 'pending' ? t('card.posterPending', { title }) : t('card.noPoster', { title })
  return (
    <img
      src={isShown ? imageUrl : noPoster}
      alt={isShown ? t('card.posterAlt', { title }) : missingText}
      width={400}
      height={600}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(imageUrl)}
      className={classes('aspect-2/3 rounded-poster bg-raised object-cover text-sm', SIZE)}
    />
  )
}

/** Says that the poster could not be copied, and offers to upload one. */
export function PosterProblem({ onUpload }: { onUpload: () => void }) {
  const { t } = useTranslation('moviecard')
  return (
    <div className="mt-2 flex flex-col items-start gap-2 text-sm text-muted">
      <p>{t('card.posterFailed')}</p>
      <Button tone="quiet" size="small" icon={<Upload aria-hidden />} onClick={onUpload}>
        {t('card.uploadPoster')}
      </Button>
    </div>
  )
}

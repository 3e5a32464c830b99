import type { Card } from '@marquee/contract/entities/card'
import { Upload } from 'lucide-react'
import { useState } from 'react'

import { useTranslation } from '#web/i18n/texts.ts'
import { Button } from '#web/ui/button.tsx'
import { classes } from '#web/ui/classes.ts'

import noPoster from './no-poster.svg'

/** A poster, 2:3, with its space reserved before it loads. A placeholder replaces one that is missing or broken. */
export function Poster({ card }: { card: Pick<Card, 'imageUrl' | 'posterState' | 'title'> }) {
  const { t } = useTranslation('moviecard')
  const { imageUrl, posterState, title } = card
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (posterState === 'none') return <TitlePoster title={title} />
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
      className="aspect-2/3 max-h-[min(60svh,calc(100svh-26rem))] w-full rounded-poster bg-raised object-cover text-sm sm:max-h-none"
    />
  )
}

const TITLE_POSTERS = [
  'from-[#5b2333] to-[#1f0d14]',
  'from-[#24466b] to-[#0d1a2b]',
  'from-[#2f5a46] to-[#0f211a]',
  'from-[#6b4a1f] to-[#261a0b]',
  'from-[#4a2f63] to-[#1a1024]',
] as const

/**
 * Replaces a missing poster: the title on a colour that depends on it, dark in both themes. Hidden from screen readers, since
 * the title is beside it.
 */
function TitlePoster({ title }: { title: string }) {
  const hue = Array.from(title, (character) => character.codePointAt(0) ?? 0).reduce((sum, code) => sum + code, 0)
  return (
    <div
      aria-hidden
      className={classes(
        '@container aspect-2/3 max-h-[min(60svh,calc(100svh-26rem))] w-full overflow-hidden rounded-poster bg-linear-to-br sm:max-h-none',
        TITLE_POSTERS[hue % TITLE_POSTERS.length],
      )}
    >
      <div className="flex size-full flex-col justify-end p-[8cqw] text-[#f7f3ea] @max-[5rem]:hidden">
        <span className="line-clamp-6 font-display text-[clamp(0.75rem,11cqw,2rem)] leading-tight font-semibold wrap-anywhere">
          {title}
        </span>
      </div>
    </div>
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

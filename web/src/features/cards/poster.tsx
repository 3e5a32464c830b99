import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import noPoster from './no-poster.svg'

type PosterProps = { src: string; title: string }

/** A poster, 2:3, its place kept before it loads; one that cannot be loaded gives way to a placeholder. */
export function Poster({ src, title }: PosterProps) {
  const { t } = useTranslation('moviecard')
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const isBroken = src === brokenSrc
  return (
    <img
      src={isBroken ? noPoster : src}
      alt={isBroken ? t('card.noPoster', { title }) : t('card.posterAlt', { title })}
      width={400}
      height={600}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenSrc(src)}
      className="aspect-2/3 max-h-[min(60svh,calc(100svh-22.5rem))] w-full rounded-poster bg-raised object-cover text-sm sm:max-h-none"
    />
  )
}

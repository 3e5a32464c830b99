import type { Card } from '@marquee/contract/entities/card'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'

import { CardBack } from './card-back.tsx'
import { Poster } from './poster.tsx'

/** The card stays in the feed, so nothing is missed when the notice goes. */
const LASTS_MS = 12_000

type RevealNoticeProps = { card: Card; by: string; onShow: () => void; onClose: () => void }

/**
 * A card that somebody else drew turns over here, for those who are elsewhere in the feed. It was announced already, and
 * goes away by itself unless someone is at it.
 */
export function RevealNotice({ card, by, onShow, onClose }: RevealNoticeProps) {
  const { t } = useTranslation('moviecard')
  const [isHeld, setHeld] = useState(false)

  useEffect(() => {
    if (isHeld) return undefined
    const timer = setTimeout(onClose, LASTS_MS)
    return () => clearTimeout(timer)
  }, [isHeld, onClose])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- being at it only keeps it there
    <aside
      aria-label={t('live.notice')}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className="flex items-center gap-3 rounded-panel border border-revealed-edge bg-revealed p-3 shadow-float"
    >
      <div className="w-14 shrink-0 perspective-distant">
        <div className="relative animate-turn transform-3d">
          <div className="backface-hidden">
            <Poster card={card} />
          </div>
          <div aria-hidden className="absolute inset-0 rotate-y-180 backface-hidden">
            <CardBack />
          </div>
        </div>
      </div>
      <p className="min-w-0 flex-1">
        <span className="block text-sm">{t('live.revealedBy', { user: by })}</span>
        <span className="line-clamp-2 font-display text-lg leading-tight font-semibold">{card.title}</span>
      </p>
      <Button tone="primary" size="small" onClick={onShow}>
        {t('live.show')}
      </Button>
      <IconButton aria-label={t('live.dismiss')} icon={<X aria-hidden />} onClick={onClose} />
    </aside>
  )
}

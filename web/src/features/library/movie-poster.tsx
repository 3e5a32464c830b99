import type { Card, CardStatus } from '@marquee/contract/entities/card'
import { CircleCheck, CircleX, Eye, type LucideIcon } from 'lucide-react'
import { useState } from 'react'

import { classes } from '#web/ui/classes.ts'

const STATUS_LOOK: Partial<Record<CardStatus, { Icon: LucideIcon; ink: string }>> = {
  REVEALED: { Icon: Eye, ink: 'text-revealed-edge' },
  WATCHED: { Icon: CircleCheck, ink: 'text-watched-edge' },
  REJECTED: { Icon: CircleX, ink: 'text-rejected-edge' },
}

/** The status of a card beside its name. No card of the library is in the box. */
export function StatusIcon({ status }: { status: CardStatus }) {
  const look = STATUS_LOOK[status]
  return look === undefined ? null : <look.Icon aria-hidden className={classes('size-4 shrink-0', look.ink)} />
}

/** A poster beside the title of its movie, so it needs no text. Without a picture it is a card with the title. */
export function MoviePoster({ card, className }: { card: Card; className?: string }) {
  const { imageUrl, posterState, title } = card
  const [brokenUrl, setBrokenUrl] = useState<string>()
  if (posterState !== undefined || imageUrl === brokenUrl) {
    return (
      <span
        aria-hidden
        className={classes(
          'flex aspect-2/3 items-center justify-center overflow-hidden rounded-poster border border-card-back-edge bg-card-back p-2 text-center font-display text-sm font-semibold',
          className,
        )}
      >
        <span className="line-clamp-5">{title}</span>
      </span>
    )
  }
  return (
    <img
      src={imageUrl}
      alt=""
      width={400}
      height={600}
      loading="lazy"
      decoding="async"
      referrerPolicy="no-referrer"
      onError={() => setBrokenUrl(imageUrl)}
      className={classes('aspect-2/3 rounded-poster bg-raised object-cover', className)}
    />
  )
}

import type { CardStatus } from '@marquee/contract/entities/card'
import { CircleCheck, CircleX, Eye, type LucideIcon } from 'lucide-react'

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

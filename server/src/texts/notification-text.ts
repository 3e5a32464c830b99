import { type Notification, NOTIFICATION_KINDS } from '@marquee/contract/entities/notification'
import { oneLine } from '@marquee/platform/texts/one-line'

import type { LOCALES } from './texts.ts'

/** What a notification says: `Ben commented on a movie`. */
export function sentenceOf({ t }: ReturnType<typeof LOCALES.of>, notification: Notification): string {
  const kind = NOTIFICATION_KINDS.find((one) => one === notification.kind)
  return kind === undefined ? '' : t(`kinds.${kind}`, { user: notification.by ?? '' })
}

/** What it is about: `Alien · Friday films`. */
export function subjectOf({ cardTitle, watchlistName }: Notification): string {
  return [cardTitle, watchlistName].flatMap((fact) => (fact === null ? [] : oneLine(fact))).join(' · ')
}

/** The page of the app that it is about. An invitation waits on the page of all watchlists. */
export function placeOf({ kind, watchlistId, cardId }: Notification): string {
  if (kind === 'invited') return '/watchlists'
  if (kind.startsWith('night-')) return `/watchlists/${watchlistId}/night`
  return `/watchlists/${watchlistId}${cardId === null ? '' : `#card-${cardId}`}`
}

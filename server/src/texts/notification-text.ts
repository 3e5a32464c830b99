import {
  MOVIE_NOTIFICATION_KINDS,
  type Notification,
  NOTIFICATION_KINDS,
} from '@marquee/contract/entities/notification'
import { oneLine, shorten } from '@marquee/platform/texts/one-line'

import type { LOCALES } from './texts.ts'

type Texts = ReturnType<typeof LOCALES.of>

/** What a notification says, without the title: `Ben commented on a movie`. */
export function sentenceOf({ t }: Texts, notification: Notification): string {
  const kind = NOTIFICATION_KINDS.find((one) => one === notification.kind)
  return kind === undefined ? '' : t(`kinds.${kind}`, { user: notification.by ?? '' })
}

/** What a notification says in a line that no program makes a link of: `Ben commented on Alien`. */
export function headlineOf(texts: Texts, notification: Notification): string {
  const { kind, by, cardTitle } = notification
  const about = MOVIE_NOTIFICATION_KINDS.find((one) => one === kind)
  if (about === undefined || cardTitle === null) return sentenceOf(texts, notification)
  return texts.t(`titled.${about}`, { user: by ?? '', title: shorten(oneLine(cardTitle)) })
}

/** What it is about: `Alien · Friday films`. */
export function subjectOf({ cardTitle, watchlistName }: Notification): string {
  return [cardTitle, watchlistName].flatMap((fact) => (fact === null ? [] : oneLine(fact))).join(' · ')
}

/** The page of the app that it is about. An invitation waits above the notifications. */
export function placeOf({ kind, watchlistId, cardId }: Notification): string {
  if (kind === 'invited') return '/notifications'
  if (kind.startsWith('night-')) return `/watchlists/${watchlistId}/night`
  return `/watchlists/${watchlistId}${cardId === null ? '' : `#card-${cardId}`}`
}

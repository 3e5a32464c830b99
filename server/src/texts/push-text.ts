import { type Notification, NOTIFICATION_KINDS } from '@marquee/contract/entities/notification'
import type { PushMessage } from '@marquee/contract/entities/push'
import type { Language } from '@marquee/contract/languages'
import { oneLine } from '@marquee/platform/texts/one-line'

import { LOCALES } from './texts.ts'

/** What a device shows of a notification: what happened, the movie and the watchlist. */
export function pushText(notification: Notification, language: Language | undefined): PushMessage {
  const { by, cardTitle, watchlistName } = notification
  const { t, language: lang, direction: dir } = LOCALES.of(language)
  const kind = NOTIFICATION_KINDS.find((known) => known === notification.kind)
  return {
    title: kind === undefined ? '' : t(`push.${kind}`, { user: by ?? '' }),
    body: [cardTitle, watchlistName].flatMap((fact) => (fact === null ? [] : oneLine(fact))).join(' · '),
    url: placeOf(notification),
    tag: tagOf(notification),
    lang,
    dir,
  }
}

/** The page of the app that a notification is about. An invitation waits on the page of all watchlists. */
function placeOf({ kind, watchlistId, cardId }: Notification): string {
  if (kind === 'invited') return '/watchlists'
  if (kind.startsWith('night-')) return `/watchlists/${watchlistId}/night`
  return `/watchlists/${watchlistId}${cardId === null ? '' : `#card-${cardId}`}`
}

/** The newest message about a movie night replaces the others, which are no longer true. */
function tagOf({ id, kind, watchlistId }: Notification): string {
  return kind.startsWith('night-') ? `night-${watchlistId}` : id
}

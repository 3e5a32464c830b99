import type { Notification } from '@marquee/contract/entities/notification'
import type { PushMessage } from '@marquee/contract/entities/push'
import type { Language } from '@marquee/contract/languages'
import { oneLine } from '@marquee/platform/texts/one-line'

import { headlineOf, placeOf } from './notification-text.ts'
import { LOCALES } from './texts.ts'

/** What a device shows of a notification: what happened, the movie and the watchlist. */
export function pushText(notification: Notification, language: Language | undefined): PushMessage {
  const texts = LOCALES.of(language)
  return {
    title: headlineOf(texts, notification),
    body: oneLine(notification.watchlistName),
    url: placeOf(notification),
    tag: tagOf(notification),
    lang: texts.language,
    dir: texts.direction,
  }
}

/** The newest message about a movie night replaces the others, which are no longer true. */
function tagOf({ id, kind, watchlistId }: Notification): string {
  return kind.startsWith('night-') ? `night-${watchlistId}` : id
}

import type { Notification } from '@marquee/contract/entities/notification'
import type { PushMessage } from '@marquee/contract/entities/push'
import type { Language } from '@marquee/contract/languages'

import { oneLine } from '@marquee/platform/texts/one-line'
import ar from './ar.json' with { type: 'json' }
import de from './de.json' with { type: 'json' }
import en from './en.json' with { type: 'json' }
import es from './es.json' with { type: 'json' }
import fr from './fr.json' with { type: 'json' }
import ptBr from './pt-BR.json' with { type: 'json' }

const TEXTS: Readonly<Record<Language, Readonly<Record<string, string>>>> = { en, de, fr, es, 'pt-BR': ptBr, ar }

/** What a device shows of a notification: what happened, the movie and the watchlist. */
export function pushText(notification: Notification, language: Language | undefined): PushMessage {
  const { by, cardTitle, watchlistName } = notification
  const lang = language ?? 'en'
  const title = TEXTS[lang][notification.kind] ?? ''
  return {
    title: title.replaceAll('{{user}}', () => oneLine(by ?? '')),
    body: [cardTitle, watchlistName].flatMap((fact) => (fact === null ? [] : oneLine(fact))).join(' · '),
    url: placeOf(notification),
    tag: tagOf(notification),
    lang,
    dir: lang === 'ar' ? 'rtl' : 'ltr',
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

import { cardElementId } from '#web/paths.ts'
import { focusSoon } from '#web/ui/focus.ts'

/** Asks for the cards that others revealed and that wait in a bar. */
export const SHOW_HELD = 'marquee-show-held'

/** A few seconds. */
const MOST_FRAMES = 300

/**
 * Moves the focus to a card of the feed, once no dialog is open. If its page is far, it first scrolls there; if the card waits in
 * a bar, it is shown first. A press, a key or a few seconds end the wait for a card.
 */
export function focusCard(cardId: string): void {
  const card = {
    get current() {
      return document.querySelector<HTMLElement>(`#${CSS.escape(cardElementId(cardId))}`)
    },
  }
  focusSoon(card, {}, MOST_FRAMES)
  if (card.current !== null) return
  const page = document.querySelector(`[data-cards~="${CSS.escape(cardId)}"]`)
  if (page === null) document.dispatchEvent(new Event(SHOW_HELD))
  else page.scrollIntoView()
}

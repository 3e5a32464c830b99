import { cardElementId } from '#web/paths.ts'
import { focusSoon } from '#web/ui/focus.ts'

/** Moves the focus to a card of the feed, once no dialog is open. If its page is far, it first scrolls there. */
export function focusCard(cardId: string): void {
  const focus = () => {
    const card = document.querySelector<HTMLElement>(`#${CSS.escape(cardElementId(cardId))}`)
    if (card !== null) focusSoon({ current: card })
    return card !== null
  }
  if (focus()) return
  const arrival = new MutationObserver(() => {
    if (focus()) arrival.disconnect()
  })
  arrival.observe(document.body, { subtree: true, childList: true })
  document.querySelector(`[data-cards~="${CSS.escape(cardId)}"]`)?.scrollIntoView()
}

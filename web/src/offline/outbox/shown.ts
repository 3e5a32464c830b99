import { isKnown } from './actions.ts'
import type { Item, Items } from './machine.ts'

/** What is shown of the items: all of them, those of each place, and the cards that the user has decided about. */
export type Shown = { all: Items; byPlace: ReadonlyMap<string, Items>; moving: ReadonlySet<string> }

/** What was just done shows by itself while the server is asked. A later version has words for what this one does not know. */
function isShown({ state, isFresh, action }: Item): boolean {
  return (state !== 'sending' || isFresh !== true) && isKnown(action)
}

/** The place of the screen where an item shows. */
function placeOf({ action }: Item): string {
  if ('cardId' in action) return action.cardId
  return 'nightId' in action ? action.nightId : action.watchlistId
}

export function shownOf(items: Items): Shown {
  const all = items.filter(isShown)
  const byPlace = new Map<string, Items>()
  for (const item of all) byPlace.set(placeOf(item), [...(byPlace.get(placeOf(item)) ?? []), item])
  const moving = new Set(
    all.flatMap(({ action, state }) => (action.kind === 'move' && state !== 'refused' ? [action.cardId] : [])),
  )
  return { all, byPlace, moving }
}

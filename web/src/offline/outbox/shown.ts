import type { Item, Items } from './machine.ts'

/** What is shown of the items: all of them, those of each place, and the cards that the user has decided about. */
export type Shown = { all: Items; byPlace: ReadonlyMap<string, Items>; moving: ReadonlySet<string> }

/** What was just done shows by itself while the server is asked. */
function isShown({ state, isFresh }: Item): boolean {
  return state !== 'sending' || isFresh !== true
}

/** The place of the screen where an item shows. */
function placeOf({ action }: Item): string {
  switch (action.kind) {
    case 'movie':
      return action.watchlistId
    case 'answer':
      return action.nightId
    case 'comment':
    case 'edit':
    case 'move':
    case 'viewing':
      return action.cardId
  }
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

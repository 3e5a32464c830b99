/** What decides who may do what with a card. `isOwner` is about the watchlist. */
export type CardStanding = { readonly isCreator: boolean; readonly isOwner: boolean; readonly isInTheBox: boolean }

/** A card in the box is a secret: only its creator, who saw it on creation, knows that there is one. */
export function mayKnowOf({ isCreator, isInTheBox }: Pick<CardStanding, 'isCreator' | 'isInTheBox'>): boolean {
  return isCreator || !isInTheBox
}

/** A card is changed and deleted by whoever made it, and by the owner of the watchlist. */
export function mayChange({ isCreator, isOwner }: Pick<CardStanding, 'isCreator' | 'isOwner'>): boolean {
  return isCreator || isOwner
}

/** What decides who may do what with a watchlist. */
export type Standing = { readonly isMember: boolean; readonly isPrivate: boolean }

/** Whoever knows its unguessable id may read a watchlist, unless its owner made it private. */
export function mayRead({ isMember, isPrivate }: Standing): boolean {
  return isMember || !isPrivate
}

/** Whatever changes a watchlist, and the count of its box, is for members. */
export function mayTakePart({ isMember }: Standing): boolean {
  return isMember
}

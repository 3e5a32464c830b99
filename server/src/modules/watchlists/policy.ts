/** What decides who may do what with a watchlist. */
export type Standing = { readonly isMember: boolean; readonly isOwner: boolean; readonly isPrivate: boolean }

/** Whoever knows its unguessable id may read a watchlist, unless its owner made it private. */
export function mayRead({ isMember, isPrivate }: Pick<Standing, 'isMember' | 'isPrivate'>): boolean {
  return isMember || !isPrivate
}

/** Whatever changes a watchlist, and the count of its box, is for members. */
export function mayTakePart({ isMember }: Pick<Standing, 'isMember'>): boolean {
  return isMember
}

/** Who is in it, who reads it, whose it is and whether it stays is the owner's to say. */
export function mayGovern({ isOwner }: Pick<Standing, 'isOwner'>): boolean {
  return isOwner
}

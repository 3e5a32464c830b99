/** Only its author edits and deletes a comment (spec section 6), not even the owner of the watchlist. */
export function mayChange({ isAuthor }: { readonly isAuthor: boolean }): boolean {
  return isAuthor
}

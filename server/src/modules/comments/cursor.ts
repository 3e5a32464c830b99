import { Problem } from '@marquee/contract/problems'

const PLACE = /^comment ([\w-]{1,64})$/u

/** A `nextToken`: the place right after this comment, stable while comments come and go. */
export function writeCursor(commentId: string): string {
  return Buffer.from(`comment ${commentId}`).toString('base64url')
}

/** The comment a page starts after. @throws {Problem} BAD_REQUEST for a token that was not given out here. */
export function readCursor(token: string): string {
  const [, commentId] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (commentId === undefined || writeCursor(commentId) !== token) {
    throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  }
  return commentId
}

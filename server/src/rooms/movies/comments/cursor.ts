import { Problem } from '@marquee/contract/problems'

const PLACE = /^comment ([\w-]{1,64})$/u

/** A `nextToken`: the position after this comment, stable while comments are added and deleted. */
export function writeCursor(commentId: string): string {
  return Buffer.from(`comment ${commentId}`).toString('base64url')
}

/** The comment before the page. @throws {Problem} BAD_REQUEST if the token is invalid. */
export function readCursor(token: string): string {
  const [, commentId] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (commentId === undefined || writeCursor(commentId) !== token) {
    throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  }
  return commentId
}

import { placeOf } from '@marquee/contract/rules/page'

const PLACE = /^comment ([\w-]{1,64})$/u

/** A `nextToken`: the position after this comment, stable while comments are added and deleted. */
export function writeCursor(commentId: string): string {
  return Buffer.from(`comment ${commentId}`).toString('base64url')
}

/** The comment before the page; undefined for the first page. @throws {Problem} BAD_REQUEST if the token is invalid. */
export function readCursor(nextToken: string | undefined): string | undefined {
  return placeOf(nextToken, (token) => {
    const [, commentId] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
    return commentId !== undefined && writeCursor(commentId) === token ? commentId : undefined
  })
}

import { Problem } from '@marquee/contract/problems'

/** A place in the feed: right after the card with this time of its last status change and this id. */
export type FeedPlace = { statusChangedAt: string; id: string }

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/u

/** A `nextToken`: opaque to those who hold it, stable while cards are added before it. */
export function writeCursor({ statusChangedAt, id }: FeedPlace): string {
  return Buffer.from(`${statusChangedAt} ${id}`).toString('base64url')
}

/** @throws {Problem} BAD_REQUEST for a token that was not given out here. */
export function readCursor(token: string): FeedPlace {
  const [, statusChangedAt, id] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (statusChangedAt === undefined || id === undefined || writeCursor({ statusChangedAt, id }) !== token) {
    throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  }
  return { statusChangedAt, id }
}

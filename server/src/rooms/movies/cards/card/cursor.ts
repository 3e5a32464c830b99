import { placeOf } from '@marquee/contract/rules/page'

/** A position in a list of cards: after the card with this id and this time of its last status change. */
export type FeedPlace = { statusChangedAt: string; id: string }

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/u

/** A `nextToken`: opaque to clients, and stable while newer cards are added. */
export function writeCursor({ statusChangedAt, id }: FeedPlace): string {
  return Buffer.from(`${statusChangedAt} ${id}`).toString('base64url')
}

export function cursorAfter(last: { status_changed_at: string; id: string }): string {
  return writeCursor({ statusChangedAt: last.status_changed_at, id: last.id })
}

/** The position of a token; undefined for the first page. @throws {Problem} BAD_REQUEST if the token is invalid. */
export function readCursor(nextToken: string | undefined): FeedPlace | undefined {
  return placeOf(nextToken, (token) => {
    const [, statusChangedAt, id] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
    if (statusChangedAt === undefined || id === undefined) return undefined
    return writeCursor({ statusChangedAt, id }) === token ? { statusChangedAt, id } : undefined
  })
}

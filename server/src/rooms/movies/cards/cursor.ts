import { Problem } from '@marquee/contract/problems'

/** A position in a list of cards: after the card with this id and this time of its last status change. */
export type FeedPlace = { statusChangedAt: string; id: string }

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/u

/** A `nextToken`: opaque to clients, and stable while newer cards are added. */
export function writeCursor({ statusChangedAt, id }: FeedPlace): string {
  return Buffer.from(`${statusChangedAt} ${id}`).toString('base64url')
}

/** The position of a token; undefined for the first page. @throws {Problem} BAD_REQUEST if the token is invalid. */
export function readCursor(token: string | undefined): FeedPlace | undefined {
  if (token === undefined) return undefined
  const [, statusChangedAt, id] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (statusChangedAt === undefined || id === undefined || writeCursor({ statusChangedAt, id }) !== token) {
    throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  }
  return { statusChangedAt, id }
}

/** Makes a page from up to `limit` + 1 rows; `nextToken` is null on the last page. */
export function pageOf<Row extends { id: string; status_changed_at: string }>(
  rows: readonly Row[],
  limit: number,
): { rows: Row[]; nextToken: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, nextToken: last ? writeCursor({ statusChangedAt: last.status_changed_at, id: last.id }) : null }
}

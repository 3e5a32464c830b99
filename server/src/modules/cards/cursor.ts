import { Problem } from '@marquee/contract/problems'

/** A place in a list of cards: right after the card with this time of its last status change and this id. */
export type FeedPlace = { statusChangedAt: string; id: string }

const PLACE = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([\w-]{1,64})$/u

/** A `nextToken`: opaque to those who hold it, stable while cards are added before it. */
export function writeCursor({ statusChangedAt, id }: FeedPlace): string {
  return Buffer.from(`${statusChangedAt} ${id}`).toString('base64url')
}

/** Where the page of a token starts; undefined for the first. @throws {Problem} BAD_REQUEST for a token that is not ours. */
export function readCursor(token: string | undefined): FeedPlace | undefined {
  if (token === undefined) return undefined
  const [, statusChangedAt, id] = PLACE.exec(Buffer.from(token, 'base64url').toString()) ?? []
  if (statusChangedAt === undefined || id === undefined || writeCursor({ statusChangedAt, id }) !== token) {
    throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  }
  return { statusChangedAt, id }
}

/** The page in rows of which one more than `limit` was asked for; `nextToken` is null on the last page. */
export function pageOf<Row extends { id: string; status_changed_at: string }>(
  rows: readonly Row[],
  limit: number,
): { rows: Row[]; nextToken: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { rows: shown, nextToken: last ? writeCursor({ statusChangedAt: last.status_changed_at, id: last.id }) : null }
}

import { Problem } from '../base/problems.ts'

/** The first `limit` of up to `limit` + 1 rows, and the token of the next page; null on the last one. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  tokenAfter: (last: Row) => string,
): { shown: Row[]; nextToken: string | null } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { shown, nextToken: last === undefined ? null : tokenAfter(last) }
}

/**
 * The place after which a page begins; undefined for the first page. `read` gives undefined for what is not a token.
 * @throws {Problem} BAD_REQUEST if the token is invalid.
 */
export function placeOf<Place>(
  token: string | undefined,
  read: (token: string) => Place | undefined,
): Place | undefined {
  if (token === undefined) return undefined
  const place = read(token)
  if (place === undefined) throw new Problem('BAD_REQUEST', 'nextToken: this is not a token of an earlier page')
  return place
}

/** Reads a token that is an id. */
export function idIn(token: string): string | undefined {
  return /^[\da-f-]{36}$/u.test(token) ? token : undefined
}

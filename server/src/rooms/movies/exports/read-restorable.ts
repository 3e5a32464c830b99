import {
  RestorableCard,
  type RestorableCard as Card,
  RestorableExport,
  type RestorableExport as File,
} from '@marquee/contract/entities/export'
import { MAX_RESTORED_CARDS, MAX_RESTORED_WANTS } from '@marquee/contract/limits'
import { checkBody, describeIssues, InvalidBody, parseBody } from '@marquee/platform/json/read-body'
import { splitJson } from '@marquee/platform/json/split-json'

/** A part of a file to restore: what it says of the watchlist first, then cards. */
export type RestorablePart = File['watchlist'] | readonly Card[]

const CARDS_AT_ONCE = 25

/**
 * Reads the body of `restoreWatchlist`. All is checked before the first part; then cards are parsed again, a few at a time,
 * so that a large file is never in memory as objects. It runs in a thread under limits. No time may be after `latest`.
 * @throws {InvalidBody} @throws {TooComplex}
 */
export function* readRestorable({ body, latest }: { body: Uint8Array; latest: string }): Generator<RestorablePart> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const { frame, entries } = splitJson(bytes, 'cards')
  const { watchlist, cards } = checkBody(RestorableExport, bytes.length === 0 ? undefined : parseBody(frame))
  // If the list occurs twice, the last one counts, but only the first was cut out.
  if (cards.length > 0) throw new InvalidBody('cards: There is more than one list')
  requireNotAfter(
    latest,
    ['watchlist'],
    [
      ['createdAt', watchlist.createdAt],
      ...watchlist.members.map(({ joinedAt }, nth) => [`members.${nth}.joinedAt`, joinedAt] as const),
    ],
  )
  const cardAt = (index: number): Card => {
    const [start, end] = entries[index] ?? [0, 0]
    return readCard(parseBody(bytes.toString('utf8', start, end)), index, latest)
  }
  if (entries.length > MAX_RESTORED_CARDS) throw new InvalidBody(`cards: There are more than ${MAX_RESTORED_CARDS}`)
  let wants = 0
  for (let index = 0; index < entries.length; index += 1) wants += cardAt(index).wantedBy?.length ?? 0
  if (wants > MAX_RESTORED_WANTS) {
    throw new InvalidBody(`cards: There are more than ${MAX_RESTORED_WANTS} names in wantedBy`)
  }
  yield watchlist
  for (let from = 0; from < entries.length; from += CARDS_AT_ONCE) {
    yield entries.slice(from, from + CARDS_AT_ONCE).map((_range, nth) => cardAt(from + nth))
  }
}

function readCard(value: unknown, index: number, latest: string): Card {
  const { data, error } = RestorableCard.safeParse(value)
  if (!error) {
    requireNotAfter(latest, ['cards', index], timesOf(data))
    return data
  }
  const [fault] = error.issues
  throw new InvalidBody(
    describeIssues([{ path: ['cards', index, ...(fault?.path ?? [])], message: fault?.message ?? '' }]),
  )
}

function timesOf({ createdAt, updatedAt, statusChanges, comments }: Card): (readonly [place: string, time: string])[] {
  return [
    ['createdAt', createdAt],
    ['updatedAt', updatedAt],
    ...statusChanges.map(({ changedAt }, nth) => [`statusChanges.${nth}.changedAt`, changedAt] as const),
    ...comments.flatMap(
      (comment, nth) =>
        [
          [`comments.${nth}.createdAt`, comment.createdAt],
          [`comments.${nth}.updatedAt`, comment.updatedAt],
        ] as const,
    ),
  ]
}

/** @throws {InvalidBody} for the first time that is after `latest`. */
function requireNotAfter(
  latest: string,
  path: readonly (string | number)[],
  times: Iterable<readonly [place: string, time: string]>,
): void {
  for (const [place, time] of times) {
    if (time > latest)
      throw new InvalidBody(describeIssues([{ path: [...path, place], message: 'This is in the future' }]))
  }
}

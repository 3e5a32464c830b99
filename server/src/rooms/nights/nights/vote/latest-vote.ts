import { Problem } from '@marquee/contract/problems'
import type { AnyDb } from '@marquee/platform/database/database'
import { together } from '@marquee/platform/database/statement-runner'

import type { NightKey } from '../night/store.ts'
import type { Roll } from './vote-disclosure.ts'
import {
  type BallotRow,
  findVote,
  listAbsentees,
  listBallots,
  listPresent,
  listShortlist,
  type VoteRow,
} from './vote-store.ts'

/** Who is at a night, and its latest vote, if there was one, with the cards in the order drawn. */
export type LatestVote = {
  readonly row: VoteRow | undefined
  readonly roll: Roll
  readonly ballots: readonly BallotRow[]
  readonly shortlist: readonly string[]
}

/** One message. */
export async function readLatestVote(db: AnyDb, key: NightKey): Promise<LatestVote> {
  const [row, present, absentees, ballots, shortlist] = await together(
    findVote(db, key),
    listPresent(db, key),
    listAbsentees(db, key),
    listBallots(db, key),
    listShortlist(db, key),
  )
  return {
    row,
    roll: { present, absentees: absentees.map((one) => ({ ...one, isRemoved: one.isRemoved === 1 })) },
    ballots,
    shortlist: shortlist.map(({ cardId }) => cardId),
  }
}

/** @throws {Problem} BAD_REQUEST unless the user is among those who are there. */
export function requireAmong(present: readonly { readonly userId: string }[], { userId }: { userId: string }): void {
  if (!present.some((person) => person.userId === userId))
    throw new Problem('BAD_REQUEST', 'Say that you are here first')
}

export async function isPresent(db: AnyDb, key: NightKey, userId: string): Promise<boolean> {
  return (await listPresent(db, key)).some((person) => person.userId === userId)
}

/** `requireAmong` by a statement of its own. @throws {Problem} BAD_REQUEST. */
export async function requirePresence(trx: AnyDb, key: NightKey, user: { userId: string }): Promise<void> {
  requireAmong(await listPresent(trx, key), user)
}

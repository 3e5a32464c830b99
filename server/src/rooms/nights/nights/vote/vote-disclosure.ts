import { MIN_COUNTED_BALLOTS } from '@marquee/contract/limits'
import type { NightVote } from '@marquee/contract/entities/vote'

import { ballotOf, countVotes, type VoteResult } from './count-votes.ts'
import type { BallotRow, VoteRow } from './vote-store.ts'

/** Who is at the night. `device` is the person whose device has their ballot: a member votes for guests without a phone. */
type Present = { readonly userId: string; readonly device: string }

/**
 * All who were at the night while the vote was open. It never shrinks, so a person who leaves or is removed changes neither
 * the number of people nor the number of votes: no one can tell by them whether that person had voted.
 */
export type Roll = {
  readonly present: readonly Present[]
  /** Who has left by themselves, or was removed by others. */
  readonly absentees: readonly { readonly userId: string; readonly isRemoved: boolean }[]
}

/** What everyone who sees a vote learns of its ballots. */
export type VoteDisclosure = Pick<NightVote, 'present' | 'voted' | 'winner'> & Pick<VoteResult, 'cards'>

/**
 * All that a vote tells about its ballots, to anyone, by any call. While it is open, that is how many have voted. A result
 * is fixed when the vote closes. The totals of fewer than three ballots are never told; results that the previous version
 * stored have them.
 */
export function discloseVote({ result }: Pick<VoteRow, 'result'>, open: OpenVotes | undefined): VoteDisclosure {
  if (result === null)
    return { present: open?.people.size ?? 0, voted: open?.voters.size ?? 0, winner: null, cards: [] }
  const { present, voted, winner, cards } = JSON.parse(result) as VoteResult
  return { present, voted, winner, cards: voted < MIN_COUNTED_BALLOTS ? [] : cards }
}

/** The state of an open vote. */
export type OpenVotes = {
  /** All who were at the night while the vote was open. */
  readonly people: ReadonlySet<string>
  /** Those of them who have voted, also if they have left since. */
  readonly voters: ReadonlySet<string>
  /** The vote closes by itself. */
  readonly isComplete: boolean
  /**
   * The result as it is stored. The ballots of those who have left do not count. Those of people whom others removed do:
   * otherwise a removal would show in the winner how they voted.
   */
  readonly countUp: (cardIds: readonly string[]) => VoteResult
}

/**
 * Counts an open vote. Totals are part of the result only if all ballots are in, no one has left, and they came from the
 * devices of three people. So a member who closes the vote, leaves or removes people at a moment of their choice sees the
 * winner only, and a member cannot add people without a phone to subtract their ballots.
 */
export function openVotes({ present, absentees }: Roll, ballots: readonly BallotRow[]): OpenVotes {
  const voters = new Set(ballots.map(({ user_id: userId }) => userId))
  const people = new Set([...present.map(({ userId }) => userId), ...absentees.map(({ userId }) => userId), ...voters])
  const isComplete = present.length > 0 && voters.size === people.size
  const counting = [...present, ...absentees.filter(({ isRemoved }) => isRemoved)].map(({ userId }) => userId)
  const counted = ballots.filter(({ user_id: userId }) => counting.includes(userId))
  const isSecret =
    !isComplete ||
    people.size > present.length ||
    new Set(present.map(({ device }) => device)).size < MIN_COUNTED_BALLOTS
  return {
    people,
    voters,
    isComplete,
    countUp: (cardIds) => {
      const { winner, cards } = countVotes(cardIds, counted.map(ballotOf))
      return { winner, present: people.size, voted: voters.size, cards: isSecret ? [] : cards }
    },
  }
}

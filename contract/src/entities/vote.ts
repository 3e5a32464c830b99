import { z } from 'zod'

import { text } from '../base/endpoint.ts'
import { MAX_DRAW_PICKS, MAX_VETO_BUDGET } from '../base/limits.ts'
import { Card } from './card.ts'

/** How many cards a shortlist may have. */
export const SHORTLIST_SIZES = [3, 5, 7] as const

/** Points of a film: love it, fine, rather not. */
export const SCORES = [2, 1, 0] as const
const Score = z.literal(SCORES)
export type Score = z.infer<typeof Score>

const isSmall = (value: object) => Object.keys(value).length <= MAX_DRAW_PICKS

/** What one person says about each card of a shortlist, by the card's id. `veto` is the id of the card they veto. */
export const Ballot = z.object({
  scores: z.record(text({ max: 64 }), Score).refine(isSmall, `A shortlist has at most ${MAX_DRAW_PICKS} cards`),
  veto: text({ max: 64 }).nullable(),
})
export type Ballot = z.infer<typeof Ballot>

/** What people who decide about a movie see of its card. */
export const NightMovie = Card.pick({
  imageUrl: true,
  posterState: true,
  movie: true,
  description: true,
  status: true,
  statusChangedAt: true,
})
export type NightMovie = z.infer<typeof NightMovie>

/** A card that came into the feed during the night. A server of the version before sends no `film`. */
const TonightsCard = z.object({ cardId: z.string(), title: z.string(), film: NightMovie.nullable().default(null) })
export type TonightsCard = z.infer<typeof TonightsCard>

/**
 * A card of a shortlist. It has no title and no film while it is in the box or if it was deleted. `total` and `isVetoed` are null unless
 * the vote closed because all had voted, none of them had left, and the ballots came from the devices of three people.
 */
const VoteCard = z.object({
  cardId: z.string(),
  title: z.string().nullable(),
  film: NightMovie.nullable().default(null),
  total: z.int().nonnegative().nullable(),
  isVetoed: z.boolean().nullable(),
})

/**
 * The vote on a shortlist. Cards are in the order drawn. `present` people were there while the vote was open, `voted` of them
 * have voted, also those who have left since: no one can tell from the numbers whether a person who left had voted. Only the
 * caller's own ballot is shown. Once the vote is closed, both numbers stay as they were, and cards that were deleted or moved
 * before have no total. `winner` is null if no card was left or no one who counts had voted.
 */
export const NightVote = z.object({
  drawNumber: z.int().positive(),
  openedAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable(),
  present: z.int().nonnegative(),
  voted: z.int().nonnegative(),
  cards: z.array(VoteCard),
  winner: z.string().nullable(),
  ballot: Ballot.nullable(),
})
export type NightVote = z.infer<typeof NightVote>

/**
 * The latest vote of a night, and how many vetoes the caller has left this month. `revealed` are the cards that came into the
 * feed during the night and are not decided yet, newest first; those of an open vote are left out. `accepted` are those that
 * were accepted during the night. `wasVetoed` is true after a veto on one of them, until the next card is drawn.
 */
export const NightVoteState = z.object({
  vote: NightVote.nullable(),
  revealed: z.array(TonightsCard),
  accepted: z.array(TonightsCard).default([]),
  wasVetoed: z.boolean(),
  vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET),
  vetoesLeft: z.int().nonnegative(),
})
export type NightVoteState = z.infer<typeof NightVoteState>

/** A ballot of the user, as their data export shows it. */
export const OwnBallot = Ballot.extend({
  nightId: z.string(),
  drawNumber: z.int().positive(),
  votedAt: z.iso.datetime(),
})
export type OwnBallot = z.infer<typeof OwnBallot>

/** A veto of the user on a revealed card, as their data export shows it. */
export const OwnVeto = z.object({ nightId: z.string(), cardId: z.string(), vetoedAt: z.iso.datetime() })
export type OwnVeto = z.infer<typeof OwnVeto>

import { z } from 'zod'

import { DrawNumber, DrawSeed } from '../entities/draw.ts'
import { Ballot, NightVoteState } from '../entities/vote.ts'
import { MAX_DRAW_SEEDS, MAX_VETO_BUDGET } from '../base/limits.ts'
import { endpoint, list, text, watchlistParams } from '../base/endpoint.ts'
import { nightParams } from './nights.ts'

/** A step of the vote of a night, by a member. */
const step = { params: nightParams, reply: NightVoteState } as const
const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

export const VOTE_ENDPOINTS = {
  findVote: endpoint('GET', '/nights/:nightId/vote', {
    summary: 'The latest vote of a night, with your own ballot and no others; for members, guests and screens',
    auth: 'user-or-pass',
    params: nightParams,
    reply: NightVoteState,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  openVote: endpoint('POST', '/nights/:nightId/vote', {
    ...step,
    summary: 'Reveal a prepared draw of 3, 5 or 7 cards as the shortlist of the night; for members who are present',
    body: z.object({ drawNumber: DrawNumber, seeds: list(DrawSeed, { min: 1, max: MAX_DRAW_SEEDS }) }),
    errors: [...errors, 'CONFLICT'],
  }),
  castBallot: endpoint('PUT', '/nights/:nightId/vote/ballot', {
    ...step,
    auth: 'user-or-pass',
    summary:
      'Vote on the shortlist, or change your vote; for members who are present and guests. The last vote closes it',
    body: Ballot.extend({ drawNumber: DrawNumber }),
    errors,
  }),
  closeVote: endpoint('POST', '/nights/:nightId/vote/close', {
    ...step,
    summary: 'Close the vote; members only',
    body: z.object({ drawNumber: DrawNumber }),
    errors,
  }),
  vetoCard: endpoint('POST', '/nights/:nightId/veto', {
    ...step,
    auth: 'user-or-pass',
    summary:
      'Use a veto on a card that was revealed in the night: it goes back into the box, and no one learns who used it; for members who are present and guests',
    body: z.object({ cardId: text({ required: 'A card is required', max: 64 }) }),
    errors,
    takesKey: true,
  }),
  getVetoBudget: endpoint('GET', '/watchlists/:watchlistId/veto-budget', {
    summary: 'How many vetoes each member has per month; members only',
    params: watchlistParams,
    reply: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  setVetoBudget: endpoint('PUT', '/watchlists/:watchlistId/veto-budget', {
    summary: 'Set how many vetoes each member has per month; owner only',
    params: watchlistParams,
    body: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors,
  }),
} as const

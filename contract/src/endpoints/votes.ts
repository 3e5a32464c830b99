import { z } from 'zod'

import { DrawNumber, DrawSeed } from '../entities/draw.ts'
import { Ballot, NightVoteState } from '../entities/vote.ts'
import { MAX_DRAW_SEEDS, MAX_VETO_BUDGET } from '../base/limits.ts'
import { endpoint, list, text, watchlistParams } from '../base/endpoint.ts'
import { nightParams } from './nights.ts'

/** A step of the vote of a night, by a member. */
const step = { auth: 'required', status: 200, params: nightParams, reply: NightVoteState, limit: 'write' } as const
const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

export const VOTE_ENDPOINTS = {
  findVote: endpoint({
    method: 'GET',
    path: '/nights/:nightId/vote',
    summary: 'The latest vote of a night, with your own ballot and no others; for members, guests and screens',
    auth: 'user-or-pass',
    status: 200,
    params: nightParams,
    reply: NightVoteState,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  openVote: endpoint({
    ...step,
    method: 'POST',
    path: '/nights/:nightId/vote',
    summary: 'Reveal a prepared draw of 3, 5 or 7 cards as the shortlist of the night; for members who are present',
    body: z.object({ drawNumber: DrawNumber, seeds: list(DrawSeed, { min: 1, max: MAX_DRAW_SEEDS }) }),
    errors: [...errors, 'CONFLICT'],
  }),
  castBallot: endpoint({
    ...step,
    auth: 'user-or-pass',
    method: 'PUT',
    path: '/nights/:nightId/vote/ballot',
    summary:
      'Vote on the shortlist, or change your vote; for members who are present and guests. The last vote closes it',
    body: Ballot.extend({ drawNumber: DrawNumber }),
    errors,
  }),
  closeVote: endpoint({
    ...step,
    method: 'POST',
    path: '/nights/:nightId/vote/close',
    summary: 'Close the vote; members only',
    body: z.object({ drawNumber: DrawNumber }),
    errors,
  }),
  vetoCard: endpoint({
    ...step,
    auth: 'user-or-pass',
    method: 'POST',
    path: '/nights/:nightId/veto',
    summary:
      'Use a veto on a card that was revealed in the night: it goes back into the box, and no one learns who used it; for members who are present and guests',
    body: z.object({ cardId: text({ required: 'A card is required', max: 64 }) }),
    errors,
    takesKey: true,
  }),
  getVetoBudget: endpoint({
    method: 'GET',
    path: '/watchlists/:watchlistId/veto-budget',
    summary: 'How many vetoes each member has per month; members only',
    auth: 'required',
    status: 200,
    params: watchlistParams,
    reply: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  setVetoBudget: endpoint({
    method: 'PUT',
    path: '/watchlists/:watchlistId/veto-budget',
    summary: 'Set how many vetoes each member has per month; owner only',
    auth: 'required',
    status: 204,
    params: watchlistParams,
    body: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors,
    limit: 'write',
  }),
} as const

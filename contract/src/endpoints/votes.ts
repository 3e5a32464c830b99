import { z } from 'zod'

import { DrawNumber, DrawSeed } from '../entities/draw-seed.ts'
import { Ballot, NightVoteState } from '../entities/vote.ts'
import { MAX_DRAW_SEEDS, MAX_VETO_BUDGET } from '../base/limits.ts'
import { endpoint, list, text } from '../base/endpoint.ts'

const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

export const VOTE_ENDPOINTS = {
  findVote: endpoint('GET', '/nights/:nightId/vote', {
    summary: 'The latest vote of a night, with your own ballot and no others; for members, guests and screens',
    auth: 'user-or-pass',
    reply: NightVoteState,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  openVote: endpoint('POST', '/nights/:nightId/vote', {
    summary: 'Reveal a prepared draw of 3, 5 or 7 cards as the shortlist of the night; for members who are present',
    body: z.object({ drawNumber: DrawNumber, seeds: list(DrawSeed, { min: 1, max: MAX_DRAW_SEEDS }) }),
    reply: NightVoteState,
    errors: [...errors, 'CONFLICT'],
  }),
  castBallot: endpoint('PUT', '/nights/:nightId/vote/ballot', {
    auth: 'user-or-pass',
    summary:
      'Vote on the shortlist, or change your vote; for members who are present and guests. The last vote closes it',
    body: Ballot.extend({ drawNumber: DrawNumber }),
    reply: NightVoteState,
    errors,
  }),
  closeVote: endpoint('POST', '/nights/:nightId/vote/close', {
    summary: 'Close the vote; members only',
    body: z.object({ drawNumber: DrawNumber }),
    reply: NightVoteState,
    errors,
  }),
  vetoCard: endpoint('POST', '/nights/:nightId/veto', {
    auth: 'user-or-pass',
    summary:
      'Use a veto on a card that was revealed in the night: it goes back into the box, and no one learns who used it; for members who are present and guests',
    body: z.object({ cardId: text({ required: 'A card is required', max: 64 }) }),
    reply: NightVoteState,
    errors,
    takesKey: true,
  }),
  getVetoBudget: endpoint('GET', '/watchlists/:watchlistId/veto-budget', {
    summary: 'How many vetoes each member has per month; members only',
    reply: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  setVetoBudget: endpoint('PUT', '/watchlists/:watchlistId/veto-budget', {
    summary: 'Set how many vetoes each member has per month; owner only',
    body: z.object({ vetoBudget: z.int().min(0).max(MAX_VETO_BUDGET) }),
    errors,
  }),
} as const

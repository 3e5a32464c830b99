import { z } from 'zod'

import { Card } from '../entities/card.ts'
import { DrawFilter, DrawOdds, DrawReceipt, DrawRest, DrawRule, DrawsPage, PreparedDraw } from '../entities/draw.ts'
import { DrawSeed, SeedHash } from '../entities/draw-seed.ts'
import {
  DRAWS_PAGE_SIZE,
  MAX_DRAW_FILTER_LENGTH,
  MAX_DRAW_PICKS,
  MAX_DRAW_SEEDS,
  MAX_PAGE_SIZE,
} from '../base/limits.ts'
import { endpoint, list, nightId, PageQuery, text } from '../base/endpoint.ts'

/** The filter of a draw as JSON, for a query. */
const FilterText = text({ required: 'A filter is JSON', max: MAX_DRAW_FILTER_LENGTH })
  .transform((json, context): unknown => {
    try {
      return JSON.parse(json)
    } catch {
      context.addIssue({ code: 'custom', message: 'A filter is JSON' })
      return z.NEVER
    }
  })
  .pipe(DrawFilter)

export const DRAW_ENDPOINTS = {
  prepareDraw: endpoint('POST', '/watchlists/:watchlistId/draws', {
    summary: 'Prepare a draw: its cards are fixed, and a commitment to them is published; members only',
    status: 201,
    body: z.object({
      rule: DrawRule.optional(),
      filter: DrawFilter.nullish(),
      picks: z.int().min(1).max(MAX_DRAW_PICKS).default(1),
      nightId: nightId.optional(),
    }),
    reply: PreparedDraw,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    takesKey: true,
  }),
  closeSeedHashes: endpoint('POST', '/watchlists/:watchlistId/draws/:drawNumber/hashes', {
    summary:
      'Add the hashes of your seeds to a prepared draw and close its list of hashes: from now on it takes the seeds of these hashes, and no others; members only',
    body: z.object({ hashes: list(SeedHash, { min: 1, max: MAX_DRAW_SEEDS }) }),
    reply: z.object({ hashes: z.array(SeedHash) }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  }),
  revealDraw: endpoint('POST', '/watchlists/:watchlistId/draws/:drawNumber/reveal', {
    summary:
      'Reveal a prepared draw with the seeds of its hashes: yours, and those that devices at its night have opened; members only',
    body: z.object({ seeds: list(DrawSeed, { min: 1, max: MAX_DRAW_SEEDS }) }),
    reply: z.object({ cards: z.array(Card), receipt: DrawReceipt }),
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    takesKey: true,
  }),
  listDraws: endpoint('GET', '/watchlists/:watchlistId/draws', {
    summary: 'A page of the draws, newest first; members only',
    query: PageQuery.extend({
      limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DRAWS_PAGE_SIZE),
    }),
    reply: DrawsPage,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  getDraw: endpoint('GET', '/watchlists/:watchlistId/draws/:drawNumber', {
    summary: 'The receipt of a draw; members only',
    reply: DrawReceipt,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  getDrawOdds: endpoint('GET', '/watchlists/:watchlistId/draw-odds', {
    summary: 'How the next card is drawn, and with which odds; members only',
    query: z.object({ filter: FilterText.optional() }),
    reply: DrawOdds,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
  setDrawRule: endpoint('PUT', '/watchlists/:watchlistId/draw-rule', {
    summary: 'Set how cards are drawn, and how long a card rests after it was put back; the owner only',
    body: z.object({ rule: DrawRule, rest: DrawRest }),
    reply: DrawOdds,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
} as const

import { z } from 'zod'

import { Statistics } from '../entities/statistics.ts'
import { endpoint, text } from '../base/endpoint.ts'

export const STATISTICS_ENDPOINTS = {
  getStatistics: endpoint('GET', '/watchlists/:watchlistId/statistics', {
    summary: 'What was watched between two days, or ever; members only',
    query: z.object({
      /** The first day; without it, since the beginning. */
      from: z.iso.date().optional(),
      /** The last day, which is included; without it, until now. */
      to: z.iso.date().optional(),
      /** Where days and months begin. */
      timeZone: text({ required: 'A time zone is required', max: 64 }).default('UTC'),
    }),
    reply: Statistics,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
  }),
} as const

import { z } from 'zod'

import { EXPORT_FORMATS, RestorableExport, WatchlistExport } from '../entities/export.ts'
import { Watchlist } from '../entities/watchlist.ts'
import { MAX_RESTORE_BYTES } from '../base/limits.ts'
import { endpoint } from '../base/endpoint.ts'

export const EXPORT_ENDPOINTS = {
  exportWatchlist: endpoint('GET', '/watchlists/:watchlistId/export', {
    summary: 'The watchlist as a file: all cards of the feed and your own in the box; members only',
    query: z.object({ format: z.enum(EXPORT_FORMATS).default('json') }),
    reply: WatchlistExport,
    errors: ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'],
    limit: 'export',
    files: ['text/csv'],
  }),
  restoreWatchlist: endpoint('POST', '/watchlists/restore', {
    summary: 'Create a watchlist from a JSON export; you are its owner and only member',
    status: 201,
    body: RestorableExport,
    reply: Watchlist,
    errors: ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE'],
    limit: 'import',
    bodyLimit: MAX_RESTORE_BYTES,
    rawBody: true,
    takesKey: true,
  }),
} as const

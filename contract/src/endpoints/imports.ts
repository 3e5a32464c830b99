import { z } from 'zod'

import { ImportFormat, ImportGroup, ImportReview, MovieImport, MovieImports } from '../entities/import.ts'
import {
  IMPORT_PAGE_SIZE,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_DECISIONS,
  MAX_IMPORT_FILE_NAME_LENGTH,
  MAX_IMPORT_ROWS,
} from '../base/limits.ts'
import { endpoint, list, text } from '../base/endpoint.ts'

/** A little more than the largest file needs, so that the error can name the limit. */
const MAX_IMPORT_BODY_BYTES = Math.ceil(MAX_IMPORT_BYTES / 3) * 4 + 64 * 1024

const errors = ['BAD_REQUEST', 'FORBIDDEN', 'NOT_FOUND'] as const

/** A member sees only their own imports. */
export const IMPORT_ENDPOINTS = {
  beginImport: endpoint('POST', '/watchlists/:watchlistId/imports', {
    summary: 'Read a file with movies and begin their review; nothing is added yet. Members only',
    status: 201,
    body: z.object({
      fileName: text({ required: 'A file has a name', max: MAX_IMPORT_FILE_NAME_LENGTH }),
      fileData: z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/u, 'The file must be sent as base64'),
      format: ImportFormat.optional(),
    }),
    reply: MovieImport,
    errors: [...errors, 'PAYLOAD_TOO_LARGE'],
    limit: 'import',
    bodyLimit: MAX_IMPORT_BODY_BYTES,
    rawBody: true,
    takesKey: true,
  }),
  listImports: endpoint('GET', '/watchlists/:watchlistId/imports', {
    summary: 'Your imports of the last 30 days, newest first; members only',
    reply: MovieImports,
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
  getImport: endpoint('GET', '/watchlists/:watchlistId/imports/:importId', {
    summary: 'Progress of your import and a page of its rows',
    query: z.object({
      group: ImportGroup.optional(),
      limit: z.coerce.number().int().min(1).max(IMPORT_PAGE_SIZE).default(IMPORT_PAGE_SIZE),
      nextToken: z
        .string()
        .regex(/^\d{1,6}$/u, 'This is not a token')
        .optional(),
    }),
    reply: ImportReview,
    errors,
  }),
  chooseImportRows: endpoint('PUT', '/watchlists/:watchlistId/imports/:importId/rows', {
    summary: 'Choose which rows become cards: some rows, or all of a group',
    body: z
      .object({
        rows: list(z.number().int().min(0).max(MAX_IMPORT_ROWS), { min: 1, max: MAX_IMPORT_DECISIONS }).optional(),
        group: ImportGroup.optional(),
        isChosen: z.boolean(),
      })
      .refine(({ rows, group }) => (rows === undefined) !== (group === undefined), {
        path: ['rows'],
        message: 'Give either rows or a group',
      }),
    reply: MovieImport,
    errors,
  }),
  applyImport: endpoint('POST', '/watchlists/:watchlistId/imports/:importId/apply', {
    summary: 'Put the chosen rows into the box as your suggestions, in the background',
    reply: MovieImport,
    errors,
  }),
  cancelImport: endpoint('POST', '/watchlists/:watchlistId/imports/:importId/cancel', {
    summary: 'Stop an import; cards that it added stay until it is undone',
    reply: MovieImport,
    errors,
  }),
  undoImport: endpoint('POST', '/watchlists/:watchlistId/imports/:importId/undo', {
    summary: 'Remove the cards of an import that are still in the box and unchanged, within 30 days',
    reply: MovieImport,
    errors,
  }),
} as const

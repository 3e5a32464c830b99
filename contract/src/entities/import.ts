import { z } from 'zod'

import { CardStatus } from './card.ts'
import { Stars } from './viewing.ts'

/** What wrote the file. `marquee` is our own export, `csv` a table of another program, `titles` a plain list with one title per line. */
export const IMPORT_FORMATS = ['letterboxd', 'imdb', 'trakt', 'simkl', 'marquee', 'csv', 'titles'] as const
export const ImportFormat = z.enum(IMPORT_FORMATS)
export type ImportFormat = z.infer<typeof ImportFormat>

/**
 * How a row compares with the cards that its member may see, and with earlier rows. `unsure`: the title is the same, and
 * year or ids do not settle it.
 */
export const IMPORT_GROUPS = ['new', 'here', 'same', 'unsure'] as const
export const ImportGroup = z.enum(IMPORT_GROUPS)
export type ImportGroup = z.infer<typeof ImportGroup>

export const ImportState = z.enum(['review', 'applying', 'applied', 'cancelled', 'undoing', 'undone'])
export type ImportState = z.infer<typeof ImportState>

/** A row that cannot be imported. `file` is its name in a zip, else null. Rows count from 1, with the header. */
export const ImportProblem = z.object({
  file: z.string().nullable(),
  row: z.number().int().positive(),
  problem: z.string(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

const count = z.number().int().nonnegative()
const GroupCount = z.object({ rows: count, chosen: count })

/**
 * An import of one member into one watchlist. `chosen` counts rows that become cards, `added` those that have. `seen` counts
 * rows whose movie the member has seen, `marked` those whose mark is saved, if there is a card. After an
 * undo, `removed` and `kept` divide the added ones. `problems` are the first of `problemCount`.
 */
export const MovieImport = z.object({
  id: z.string(),
  watchlistId: z.string(),
  fileName: z.string(),
  format: ImportFormat,
  state: ImportState,
  createdAt: z.iso.datetime(),
  undoUntil: z.iso.datetime(),
  groups: z.object({ new: GroupCount, here: GroupCount, same: GroupCount, unsure: GroupCount }),
  chosen: count,
  added: count,
  removed: count,
  kept: count,
  seen: count,
  marked: count,
  problems: z.array(ImportProblem),
  problemCount: count,
})
export type MovieImport = z.infer<typeof MovieImport>

/** A row under review. `card` or `sameAs` (the id of an earlier row) is what it resembles. */
export const ImportRow = z.object({
  id: count,
  file: z.string().nullable(),
  row: z.number().int().positive(),
  title: z.string(),
  year: z.number().int().nullable(),
  isSeen: z.boolean(),
  stars: Stars.nullable(),
  group: ImportGroup,
  isChosen: z.boolean(),
  card: z
    .object({ id: z.string(), title: z.string(), year: z.number().int().nullable(), status: CardStatus })
    .nullable(),
  sameAs: z.object({ row: z.number().int().positive(), title: z.string() }).nullable(),
})
export type ImportRow = z.infer<typeof ImportRow>

/** An import with one page of its rows. */
export const ImportReview = MovieImport.extend({ rows: z.array(ImportRow), nextToken: z.string().nullable() })
export type ImportReview = z.infer<typeof ImportReview>

export const MovieImports = z.array(MovieImport)

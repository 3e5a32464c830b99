import type { DataExport } from '@marquee/contract/entities/account'
import type { ImportGroup, ImportProblem, ImportRow, MovieImport } from '@marquee/contract/entities/import'
import type { Movie } from '@marquee/contract/entities/movie'
import { IMPORT_UNDO_DAYS } from '@marquee/contract/limits'
import { DAY_MS } from '@marquee/platform/runtime/durations'

import type { KnownCard } from '../cards/service.ts'
import type { ImportRecord, RowCount, RowRecord } from './store.ts'

/** Until when an import can be undone, in milliseconds since 1970. */
export function undoEndsAt({ created_at: createdAt, applied_at: appliedAt }: ImportRecord): number {
  return Date.parse(appliedAt ?? createdAt) + IMPORT_UNDO_DAYS * DAY_MS
}

export function presentImport(record: ImportRecord, counts: readonly RowCount[]): MovieImport {
  const sum = (isCounted: (row: RowCount) => boolean): number =>
    counts.filter(isCounted).reduce((total, { count }) => total + count, 0)
  const group = (name: ImportGroup) => ({
    rows: sum((row) => row.category === name),
    chosen: sum((row) => row.category === name && row.is_chosen === 1),
  })
  return {
    id: record.id,
    watchlistId: record.watchlist_id,
    fileName: record.file_name,
    format: record.format,
    state: record.state,
    createdAt: record.created_at,
    undoUntil: new Date(undoEndsAt(record)).toISOString(),
    groups: { new: group('new'), here: group('here'), same: group('same'), unsure: group('unsure') },
    chosen: sum((row) => row.is_chosen === 1),
    added: sum((row) => row.outcome !== null && row.outcome !== 'marked'),
    removed: sum((row) => row.outcome === 'removed'),
    kept: sum((row) => row.outcome === 'kept'),
    seen: sum((row) => row.is_seen === 1),
    marked: sum((row) => row.is_seen === 1 && row.outcome !== null),
    problems: JSON.parse(record.problems) as ImportProblem[],
    problemCount: record.problem_count,
  }
}

/** `cards` and `others` have what the rows of the page resemble; a card may be gone since. */
export function presentRow(
  row: RowRecord,
  { cards, others }: { cards: ReadonlyMap<string, KnownCard>; others: ReadonlyMap<number, RowRecord> },
): ImportRow {
  const card = cards.get(row.match_card_id ?? '')
  const other = others.get(row.match_place ?? -1)
  return {
    id: row.place,
    file: row.file,
    row: row.file_row,
    title: row.title,
    year: (JSON.parse(row.movie) as Movie).year,
    isSeen: row.is_seen === 1,
    stars: row.half_stars === null ? null : row.half_stars / 2,
    group: row.category,
    isChosen: row.is_chosen === 1,
    card: card ? { id: card.id, title: card.title, year: card.movie?.year ?? null, status: card.status } : null,
    sameAs: other ? { row: other.file_row, title: other.title } : null,
  }
}

/** What the user's file says. */
export function presentOwnRow(row: RowRecord): DataExport['imports'][number]['rows'][number] {
  return {
    file: row.file,
    row: row.file_row,
    title: row.title,
    movie: JSON.parse(row.movie) as Movie,
    isSeen: row.is_seen === 1,
    seenOn: row.seen_on,
    stars: row.half_stars === null ? null : row.half_stars / 2,
    isChosen: row.is_chosen === 1,
  }
}

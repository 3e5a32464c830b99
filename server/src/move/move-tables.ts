import type { Database } from '@marquee/platform/database/database'
import { Refusal } from '@marquee/platform/runtime/refusal'

import type { Row, Source, Table } from './source-store.ts'
import { addRows, readProgress, rowsAfter } from './target-store.ts'

const BATCH = 500

/** Called for every batch: the step, the table, and the progress. */
export type Report = (step: { doing: 'copying' | 'checking'; what: string; done: number; of: number }) => void

/** Copies a table, from where the last run stopped. */
export async function copyTable(
  { source, target, report }: { source: Source; target: Database<unknown>; report: Report },
  table: Table,
): Promise<void> {
  let { lastKey, rows } = await readProgress(target, table)
  for (;;) {
    const batch = source.rowsAfter(table, lastKey, BATCH)
    const last = batch.at(-1)
    if (!last) return
    lastKey = keyOf(table, last)
    rows += batch.length
    await addRows(target, table, { rows: batch, reached: { lastKey, rows } })
    report({ doing: 'copying', what: table.name, done: rows, of: table.rows })
  }
}

/** Compares a table row by row. @throws Refusal naming the first row that is missing, extra or different. */
export async function compareTable(
  { source, target, report }: { source: Source; target: Database<unknown>; report: Report },
  table: Table,
): Promise<void> {
  let key: readonly unknown[] | undefined
  let compared = 0
  for (;;) {
    const ours = source.rowsAfter(table, key, BATCH)
    const theirs = await rowsAfter(target.read, table, { key, limit: BATCH })
    for (let at = 0; at < Math.max(ours.length, theirs.length); at += 1) compareRow(table, ours[at], theirs[at])
    const last = ours.at(-1)
    if (!last) return
    key = keyOf(table, last)
    compared += ours.length
    report({ doing: 'checking', what: table.name, done: compared, of: table.rows })
  }
}

function compareRow(table: Table, ours: Row | undefined, theirs: Row | undefined): void {
  const isSame = ours && theirs && table.columns.every((column) => isSameValue(ours[column], theirs[column]))
  if (isSame) return
  const where = JSON.stringify(keyOf(table, ours ?? theirs ?? {}))
  throw new Refusal(
    `The copy of ${table.name} differs from the original at ${where}. ` +
      'One of them was changed after the move began. Drop the new database, create it again, and repeat the move.',
  )
}

function isSameValue(ours: unknown, theirs: unknown): boolean {
  if (ours instanceof Uint8Array && theirs instanceof Uint8Array) return Buffer.compare(ours, theirs) === 0
  return ours === theirs
}

/** The primary key of a row. */
export function keyOf(table: Table, row: Row): unknown[] {
  return table.key.map((column) => row[column])
}

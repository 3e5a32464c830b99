import type { KeyObject } from 'node:crypto'

import type { AnyDb, Database } from '../database/database.ts'
import type { Random } from '../runtime/random.ts'
import { openText, sealText } from '../runtime/sealed-box.ts'
import { listSealed, replaceSealed, type SealedPlace, type SealedRow } from './store.ts'

/** A column that `sealText` fills. */
export type SealedColumn = SealedPlace & {
  /** What a value is bound to, from the primary key of its row. */
  readonly contextOf: (key: readonly string[]) => string
}

/** A column with its keys: the current one first, then earlier ones. */
export type KeyedColumn = SealedColumn & { readonly keys: readonly KeyObject[] }

/** Values that no key opens. `column` is `table.column`. */
export type Unopened = { readonly column: string; readonly count: number }

const BATCH = 100

/** What an operator reads about values that are lost without an earlier master key. */
export const OPENED_BY_NO_KEY = 'Opened by none of the master keys given'

export function describeUnopened(unopened: readonly Unopened[]): string[] {
  return unopened.map(
    ({ column, count }) => `${OPENED_BY_NO_KEY}: ${count} of ${column}. If there was an earlier key, give it, too.`,
  )
}

export function nameOf({ table, column }: SealedPlace): string {
  return `${table}.${column}`
}

/** Encrypts again what an earlier key has encrypted, row by row. Stops early when `signal` aborts. */
export async function resealColumns(
  { database, random }: { readonly database: Database<unknown>; readonly random: Random },
  columns: readonly KeyedColumn[],
  signal?: AbortSignal,
): Promise<{ resealed: number; unopened: Unopened[] }> {
  let resealed = 0
  const unopened: Unopened[] = []
  for (const column of columns) {
    let count = 0
    for await (const row of rowsOf(database.read, column, BATCH)) {
      if (signal?.aborted === true) return { resealed, unopened }
      const opened = openText(column.keys, column.contextOf(row.key), row.sealed)
      if (!opened) count += 1
      if (opened?.isOld !== true) continue
      const next = sealText(column.keys, column.contextOf(row.key), opened.content, random)
      const isReplaced = await database.transaction(async (trx) => await replaceSealed(trx, column, row, next))
      if (isReplaced) resealed += 1
    }
    if (count > 0) unopened.push({ column: nameOf(column), count })
  }
  return { resealed, unopened }
}

/** Opens all values, and changes nothing. */
export async function verifyColumns(
  db: AnyDb,
  columns: readonly KeyedColumn[],
  batch = BATCH,
): Promise<{ opened: number; unopened: Unopened[] }> {
  let opened = 0
  const unopened: Unopened[] = []
  for (const column of columns) {
    let count = 0
    for await (const { key, sealed } of rowsOf(db, column, batch)) {
      if (openText(column.keys, column.contextOf(key), sealed)) opened += 1
      else count += 1
    }
    if (count > 0) unopened.push({ column: nameOf(column), count })
  }
  return { opened, unopened }
}

async function* rowsOf(
  db: AnyDb,
  place: SealedPlace,
  limit: number,
): AsyncGenerator<SealedRow & { readonly sealed: string }> {
  let behind: readonly string[] | undefined
  for (;;) {
    const rows = await listSealed(db, place, { behind, limit })
    for (const { key, sealed } of rows) if (sealed !== null) yield { key, sealed }
    if (rows.length < limit) return
    behind = rows.at(-1)?.key
  }
}

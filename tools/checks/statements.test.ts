import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { onlyOnSqlite } from '../run/statements.ts'
import { type Source, sources, visit } from './syntax.ts'
import { read } from './repository.ts'

const NAMES = ['film', 'id', 'title', 'year', 'note'].map((name) => ['names', name])

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'marquee-statements-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** What each worker noted, one file each. */
function noted(...workers: string[][][]): string[] {
  for (const [n, lines] of workers.entries())
    writeFileSync(join(folder, `${n}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return onlyOnSqlite(folder)
}

test('a statement that is sent only to SQLite is reported', () => {
  expect(
    noted([
      ...NAMES,
      ['sqlite', 'update "film" set "title" = ? where "id" = ?'],
      ['sqlite', 'delete from "film" where "id" = ?'],
      ['postgres', 'update "film" set "title" = $1 where "id" = $2'],
    ]),
  ).toEqual(['delete from "film" where "id" = ?'])
})

test('a statement that another worker sends to PostgreSQL is not reported', () => {
  const found = noted(
    [...NAMES, ['sqlite', 'select "title" from "film"']],
    [['postgres', 'select "title" from "film"']],
  )

  expect(found).toEqual([])
})

test('statements that differ only in functions and placeholders count as the same', () => {
  expect(
    noted([
      ...NAMES,
      ['sqlite', 'select "title" from "film" where "id" in (select value from json_each(?))'],
      ['postgres', 'select "title" from "film" where "id" = any($1) for key share'],
    ]),
  ).toEqual([])
})

test('a statement with another column counts as different, and names in string literals are ignored', () => {
  expect(
    noted([
      ...NAMES,
      ['sqlite', 'select "year" from "film"'],
      ['sqlite', `select "title" from "film" where "id" = 'year'`],
      ['postgres', 'select "title" from "film" where "id" = $1'],
    ]),
  ).toEqual(['select "year" from "film"'])
})

test('statements that read and write no rows are not compared', () => {
  expect(noted([...NAMES, ['sqlite', 'begin immediate'], ['sqlite', 'create table "note" ("id" text)']])).toEqual([])
})

test('statements with the same columns but another clause count as different', () => {
  expect(
    noted([
      ...NAMES,
      ['sqlite', 'select "title" from "film" group by "year"'],
      ['postgres', 'select "title" from "film" where "year" = $1'],
    ]),
  ).toEqual(['select "title" from "film" group by "year"'])
})

test('a statement of the queue counts as sent to PostgreSQL if it was sent there for any table', () => {
  const onSqlite = ['sqlite', 'update "film" set "due_at" = ? where "id" = ? and "due_at" = ?']
  expect(noted([...NAMES, onSqlite])).toEqual([onSqlite[1]])

  const found = noted([
    ...NAMES,
    onSqlite,
    ['postgres', 'update "note" set "due_at" = $1 where "id" = $2 and "due_at" = $3'],
  ])

  expect(found).toEqual([])
})

/** The prepared statements of a file that return all columns of a table, by the line where they begin. */
function readingAllColumns(source: Source): string[] {
  const text = read(source.path)
  const found: string[] = []
  visit(source, {
    CallExpression({ callee, start, end }) {
      if (callee.type !== 'Identifier' || !['prepared', 'preparedFirst'].includes(callee.name)) return
      const statement = text.slice(start, end)
      if (!/\.(?:selectAll|returningAll)\(|sql(?:<[^`]*>)?`\s*select \*/u.test(statement)) return
      found.push(`${source.path}:${text.slice(0, start).split('\n').length}`)
    },
  })
  return found
}

// PostgreSQL refuses a statement that a connection has kept once its columns are others.
test('a prepared statement names the columns that it returns, so that it survives a new column', () => {
  expect(sources().flatMap(readingAllColumns)).toEqual([])
})

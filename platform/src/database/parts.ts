/** Rows that one statement inserts. PostgreSQL takes 65,535 values, SQLite 32,766. */
const ROWS_PER_STATEMENT = 500

/** The rows in parts that each fit into one statement. */
export function* inParts<Row>(rows: readonly Row[], size = ROWS_PER_STATEMENT): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size)
}

/** Rows that one statement inserts. PostgreSQL takes 65,535 values, SQLite 32,766. */
const ROWS_PER_STATEMENT = 500

/** The rows in parts that each fit into one statement. */
export function* inParts<Row>(rows: readonly Row[]): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) yield rows.slice(from, from + ROWS_PER_STATEMENT)
}

import type { Change, Row, Table } from './change-log.ts'
import type { Entry } from './clients.ts'
import type { Request } from './requests.ts'

type Kind = Request['kind']
export type Of<K extends Kind> = Extract<Request, { kind: K }>

/** What several changes together say about one of them. */
export type Setting = {
  /** The cards that were never in the box. */
  shown: ReadonlySet<unknown>
  /** When prepared draws revealed their cards. */
  drawnAt: ReadonlySet<unknown>
  /** When votes closed and vetoes were used, which put cards back. */
  putBackAt: ReadonlySet<unknown>
}

/** What a kind of request does to the rows. Effects with the same name are not distinguished. */
export type Effect<K extends Kind> = {
  /** The name of the effect that a change is, if any. */
  made: (change: Change, setting: Setting) => string | undefined
  /** The name of the effect that a request asks for; undefined if it is unknown. */
  asked: (request: Of<K>, entry: Entry) => string | undefined
  /** Whether other requests may have made this change, so that there may be more of them than were asked for. */
  hasOtherCauses?: (change: Change) => boolean
  /** Whether a repeated request changes nothing. */
  isIdempotent?: boolean
  /** Whether the effect is on another watchlist. */
  isElsewhere?: boolean
}

export const anyCause = (): boolean => true

export const added = (change: Change, table: Table): Row | undefined =>
  change.table === table && !change.was ? change.is : undefined
export const removed = (change: Change, table: Table): Row | undefined =>
  change.table === table && !change.is ? change.was : undefined
/** A row with a new value in a column, or a new row. */
export const changed = ({ table, was, is }: Change, wanted: Table, column: string): Row | undefined =>
  table === wanted && is && was?.[column] !== is[column] ? is : undefined
/** The rows that were added to a table. */
export const allAdded = (changes: readonly Change[], table: Table): Row[] =>
  changes.flatMap((change) => {
    const row = added(change, table)
    return row ? [row] : []
  })
export const name = (row: Row | undefined, ...columns: string[]): string | undefined =>
  row && columns.map((column) => row[column]).join(' ')

/** The body of the first reply that reports success. */
export function replyOf({ attempts }: Entry): unknown {
  return attempts.find(({ answer }) => answer && answer.status < 300)?.answer?.body
}

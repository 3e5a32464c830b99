import type { EventKind } from '../audit/event-kinds.ts'
import type { SecurityEventRow } from '../tables.ts'

/**
 * Something that was done to an account; `client` is coarse, empty where it is not known. `at` is an ISO text, of the
 * last time where it was done several `times`.
 */
export type SecurityEvent = { eventId: string; kind: EventKind; client: string; at: string; times: number }

export function securityEvent(row: SecurityEventRow): SecurityEvent {
  return { eventId: row.id, kind: row.kind, client: row.client, at: row.at, times: row.times }
}

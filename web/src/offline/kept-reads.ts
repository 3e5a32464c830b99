import type { Query, QueryClient, QueryPersister } from '@tanstack/react-query'

import { isApiError } from '#web/api/api-error.ts'
import { connection } from '#web/api/connection.ts'

/** The areas of which something is kept. `kept-kinds.ts` says what. */
const AREAS: readonly unknown[] = ['watchlists', 'cards', 'comments', 'library', 'nights', 'people']
/** A server that is out of service, or a proxy without a server. */
const OUT_OF_SERVICE: readonly unknown[] = [502, 503, 504]
const AGAIN_MS = 5_000

/** The queries that show something kept, and when it arrived. */
export const keptSince = new Map<Query, number>()

function isOutOfReach(error: unknown): boolean {
  if (isApiError(error, 'NETWORK_ERROR')) return true
  return isApiError(error) && OUT_OF_SERVICE.includes(error.status)
}

/** Whether the server says that the user may not read this, or that it is gone. */
export function isRefusal(error: unknown): boolean {
  return isApiError(error, 'NOT_FOUND', 'UNAUTHORIZED')
}

/**
 * Reads from the server. Without an answer it is what this device has kept, if the screen has nothing newer. `keptSince` says
 * so until an answer of the server replaces it.
 */
export const readOrKept: QueryPersister = async (read, context, query) => {
  const isMore = query.state.fetchMeta?.fetchMore !== undefined
  const mayShowKept = () => AREAS.includes(query.queryKey[0]) && !isMore && !hasFresh(query)
  if (connection.current() !== 'online' && mayShowKept()) {
    const kept = await readKept(context.client, query)
    if (kept !== undefined) return kept
  }
  try {
    const data = await read(context)
    if (!isMore) keptSince.delete(query)
    return data
  } catch (error) {
    if (isRefusal(error)) forget(query)
    const kept = isOutOfReach(error) && mayShowKept() ? await readKept(context.client, query) : undefined
    if (kept === undefined) throw error
    // Only this call may have failed, and then no one says that the connection is back.
    setTimeout(() => connection.current() === 'online' && readAgain(context.client), AGAIN_MS)
    return kept
  }
}

function hasFresh(query: Query): boolean {
  return query.state.data !== undefined && !keptSince.has(query)
}

async function readKept(client: QueryClient, query: Query): Promise<unknown> {
  if (query.state.data !== undefined) return query.state.data
  const restore = await import('./restore.ts').catch(() => undefined)
  return restore?.restore(client, query)
}

/** Who was refused sees no older copy. */
function forget(query: Query): void {
  if (keptSince.delete(query)) query.setState({ data: undefined, dataUpdatedAt: 0, status: 'pending' })
}

/** Reads what is kept from the server. */
export function readAgain(client: QueryClient): void {
  void client.invalidateQueries({ predicate: (query) => keptSince.has(query) }, { cancelRefetch: false })
}

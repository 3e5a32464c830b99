import type { Query, QueryClient } from '@tanstack/react-query'

import { isApiError, OUT_OF_SERVICE } from '#web/api/api-error.ts'
import { connection } from '#web/api/connection.ts'
import { logWarning } from '#web/api/log.ts'
import { session } from '#web/session/session.ts'

import { keepsOnDevice } from './device-copy.ts'
import { keptPart, subjectOf } from './kept-kinds.ts'
import { keptSince } from './kept-since.ts'
import { readKept, readNotes } from './kept-store.ts'

function isOutOfReach(error: unknown): boolean {
  if (error === undefined || isApiError(error, 'NETWORK_ERROR')) return true
  return isApiError(error) && OUT_OF_SERVICE.includes(error.status)
}

/** Whether the server says that the user may not read this, or that it is gone. */
export function isRefusal(error: unknown): boolean {
  return isApiError(error, 'NOT_FOUND', 'UNAUTHORIZED')
}

/**
 * What this device has kept of the reply to a query that cannot be read, or has failed with `error`. Undefined without any, if
 * the server did answer, and if the screen has something newer.
 */
export async function keptInstead(client: QueryClient, query: Query, error?: unknown): Promise<unknown> {
  if (isRefusal(error)) forget(query)
  const { data, fetchMeta } = query.state
  if (!isOutOfReach(error) || fetchMeta) return undefined
  if (data !== undefined) return keptSince.has(query) ? data : undefined
  const kept = await restore(client, query)
  // When the server answers again, what is kept is replaced.
  if (kept !== undefined && connection.current() === 'online') connection.miss()
  return kept
}

/** Who was refused sees no older copy. */
function forget(query: Query): void {
  if (keptSince.delete(query)) query.setState({ data: undefined, dataUpdatedAt: 0, status: 'pending' })
}

/** With a feed come the comments on its cards. */
async function restore(client: QueryClient, query: Query): Promise<unknown> {
  const subject = subjectOf(query.queryKey)
  const current = session.current()
  if (subject === undefined || current.state !== 'signed-in' || !keepsOnDevice()) return undefined
  try {
    const { userId } = current.user
    const kept = await readKept(userId, query.queryHash)
    const data = kept && keptPart(subject.kind, kept.data)
    if (kept === undefined || data === undefined) return undefined
    if (subject.kind === 'cards feed') await restoreComments(client, userId, subject.watchlistId)
    keptSince.set(query, kept.at)
    return data
  } catch (error) {
    logWarning('What this device has kept could not be read', error)
    return undefined
  }
}

/** They are in queries of their own, which ask for nothing before the first comments are there. */
async function restoreComments(client: QueryClient, userId: string, watchlistId: string | undefined): Promise<void> {
  const notes = (await readNotes()).filter((note) => note.kind === 'comments' && note.watchlistId === watchlistId)
  await Promise.all(
    notes.map(async ({ hash }) => {
      const kept = await readKept(userId, hash)
      const queryKey = JSON.parse(hash) as string[]
      const data = kept && keptPart('comments', kept.data)
      if (data === undefined || client.getQueryData(queryKey) !== undefined) return
      client.setQueryData(queryKey, data, { updatedAt: kept?.at ?? 0 })
      const query = client.getQueryCache().find({ queryKey })
      if (query !== undefined && !isSeed(data)) keptSince.set(query, kept?.at ?? 0)
    }),
  )
}

/** Comments that came with their card are replaced with it. */
function isSeed(data: unknown): boolean {
  return (data as { pages: { isSeed?: true }[] }).pages[0]?.isSeed === true
}

/** Reads what is kept from the server, now that it answers. */
export function readAgain(client: QueryClient): void {
  if (connection.current() !== 'online') return
  void client.invalidateQueries({ predicate: (query) => keptSince.has(query) }, { cancelRefetch: false })
}

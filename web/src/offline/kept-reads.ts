import type { QueryPersister } from '@tanstack/react-query'

import { connection } from '#web/api/connection.ts'
import { answeredHere } from '#web/api/read-times.ts'

import { keptSince } from './kept-since.ts'

/**
 * Reads from the server. Without an answer it is what this device has kept, if the screen has nothing newer. `keptSince` says
 * so until an answer of the server replaces it.
 */
export const readOrKept: QueryPersister = async (read, context, query) => {
  const kept = async (error?: unknown) => {
    const found = await import('./restore.ts').then(
      async ({ keptInstead }) => keptInstead(context.client, query, error),
      () => undefined,
    )
    if (found !== undefined) answeredHere(query)
    return found
  }
  if (connection.current() !== 'online') {
    const before = await kept()
    if (before !== undefined) return before
  }
  try {
    const data = await read(context)
    // Another page says nothing of those before.
    if (!query.state.fetchMeta) keptSince.delete(query)
    return data
  } catch (error) {
    const instead = await kept(error)
    if (instead === undefined) throw error
    return instead
  }
}

import type { Query, QueryClient } from '@tanstack/react-query'

import { logWarning } from '#web/api/log.ts'
import { session } from '#web/session/session.ts'

import { keepsOnDevice } from './keeping.ts'
import { keptPart, subjectOf } from './kept-kinds.ts'
import { keptSince } from './kept-reads.ts'
import { readKept, readNotes } from './kept-store.ts'

/** What this device has kept of the reply to a query, undefined without any. With a feed come the comments on its cards. */
export async function restore(client: QueryClient, query: Query): Promise<unknown> {
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

import type { Query, QueryClient } from '@tanstack/react-query'

import { connection } from '#web/api/connection.ts'
import { logWarning } from '#web/api/log.ts'

import { forgetKept } from './forget-device.ts'
import { forgetLastScreen, keepsOnDevice } from './device-copy.ts'
import { keptPart, subjectOf } from './kept-kinds.ts'
import { keptSince } from './kept-since.ts'
import { type Kept, readNotes, readOwner, removeKept, writeKept } from './kept-store.ts'
import { keepLastScreen, lastScreenWatchlist } from './last-screen.ts'
import { openPictures } from './pictures.ts'
import { isRefusal, readAgain } from './restore.ts'
import { keepInWorker } from './worker.ts'

const WAIT_MS = 1_000
const PENDING_COMMENT = 'pending '
const LIST = ['watchlists', 'list']

/**
 * Keeps what the server answers to the user, as far as `kept-kinds.ts` names it, to show it without a connection, and
 * replaces what is shown from before when the server answers again.
 */
export function startKeeping(client: QueryClient, userId: string, end: AbortSignal): void {
  if (end.aborted) return
  const cache = client.getQueryCache()
  const changed = new Set<Query>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = prepare(userId)
  const mayWrite = () => !end.aborted && keepsOnDevice()

  const write = () => {
    clearTimeout(timer)
    timer = undefined
    last = last.then(async () => keep(client, userId, changed, mayWrite)).catch(report)
  }
  const note = (query: Query) => {
    if (subjectOf(query.queryKey) === undefined) return
    changed.add(query)
    timer ??= setTimeout(write, WAIT_MS)
  }
  const writeWhenHidden = () => {
    if (document.visibilityState === 'hidden') write()
  }

  const unsubscribe = cache.subscribe((event) => {
    if (event.type !== 'updated') return
    const query = event.query as Query
    if (event.action.type === 'success') note(query)
    if (event.action.type === 'error' && isRefusal(event.action.error))
      last = last.then(async () => drop(query)).catch(report)
  })
  for (const query of cache.getAll()) note(query)
  document.addEventListener('visibilitychange', writeWhenHidden, { signal: end })
  // Until the worker is in charge, the last screen is not kept.
  if ('serviceWorker' in navigator) navigator.serviceWorker.addEventListener('controllerchange', write, { signal: end })
  const leaveConnection = connection.subscribe(() => readAgain(client))
  readAgain(client)
  end.addEventListener('abort', () => {
    clearTimeout(timer)
    unsubscribe()
    leaveConnection()
  })
}

function report(error: unknown): void {
  logWarning('Nothing could be kept on this device', error)
}

/** Another user of this device finds nothing of the one before. What waits to be sent stays for its user. */
async function prepare(userId: string): Promise<void> {
  if (!keepsOnDevice()) return
  const owner = await readOwner().catch(() => undefined)
  if (owner !== undefined && owner !== userId) await forgetKept()
  await openPictures()
  keepInWorker()
}

/** Writes what has changed. What belongs to a watchlist waits until it is known that the user is a member. */
async function keep(client: QueryClient, userId: string, changed: Set<Query>, mayWrite: () => boolean): Promise<void> {
  const list = client.getQueryState<{ id: string }[]>(LIST)
  const memberOf = list?.data && new Set(list.data.map(({ id }) => id))
  const replies: Kept[] = []
  for (const query of changed) {
    const subject = subjectOf(query.queryKey)
    if (subject?.watchlistId !== undefined && memberOf === undefined) continue
    changed.delete(query)
    if (subject === undefined || query.state.status !== 'success' || keptSince.has(query)) continue
    if (subject.watchlistId !== undefined && memberOf?.has(subject.watchlistId) !== true) continue
    const data = keptPart(subject.kind, withoutPending(query.state.data))
    if (data === undefined) continue
    const { queryHash: hash, state } = query
    replies.push({ hash, ...subject, at: state.dataUpdatedAt, bytes: JSON.stringify(data).length, data })
  }
  if (!mayWrite()) return
  if (memberOf !== undefined && !isKeptList(client)) keepLastScreen(userId, memberOf)
  if (replies.length === 0) return
  await writeKept(userId, replies, mayWrite)
  if (memberOf !== undefined && !isKeptList(client)) await removeOthers(memberOf, replies)
}

function isKeptList(client: QueryClient): boolean {
  const query = client.getQueryCache().find({ queryKey: LIST })
  return query === undefined || keptSince.has(query)
}

/** What belongs to watchlists that the user has left, and the other pages of a library than those that were seen last. */
async function removeOthers(memberOf: ReadonlySet<string>, written: readonly Kept[]): Promise<void> {
  const shownLast = lastScreenWatchlist()
  if (shownLast !== undefined && !memberOf.has(shownLast)) forgetLastScreen()
  const seenNow = written.filter(({ kind }) => kind === 'library pages')
  const isOlderPage = (hash: string, watchlistId: string) =>
    seenNow.some((page) => page.watchlistId === watchlistId && searchOf(page.hash) !== searchOf(hash)) &&
    !seenNow.some((page) => searchOf(page.hash) === searchOf(hash))
  const old = (await readNotes()).filter(
    ({ hash, kind, watchlistId }) =>
      watchlistId !== undefined &&
      (!memberOf.has(watchlistId) || (kind === 'library pages' && isOlderPage(hash, watchlistId))),
  )
  await removeKept(old.map(({ hash }) => hash))
}

/** The watchlist and the search that a page of a library belongs to. */
function searchOf(hash: string): string {
  return JSON.stringify((JSON.parse(hash) as unknown[]).slice(0, 4))
}

/** A comment that the server does not have yet is not its answer. */
function withoutPending(data: unknown): unknown {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return data
  const pages = (data.pages as { comments?: { commentId: string }[] }[]).map((page) =>
    page.comments === undefined
      ? page
      : { ...page, comments: page.comments.filter(({ commentId }) => !commentId.startsWith(PENDING_COMMENT)) },
  )
  return { ...data, pages }
}

/** The server has refused it: all that is kept of its watchlist goes, or what it is itself. */
async function drop({ queryKey, queryHash }: Query): Promise<void> {
  const subject = subjectOf(queryKey)
  if (subject === undefined || !keepsOnDevice()) return
  const isWhole = subject.kind === 'watchlists detail' || subject.kind === 'cards feed'
  if (isWhole && subject.watchlistId === lastScreenWatchlist()) forgetLastScreen()
  const notes = await readNotes()
  const gone = notes.filter(
    ({ hash, watchlistId }) => hash === queryHash || (isWhole && watchlistId === subject.watchlistId),
  )
  await removeKept(gone.map(({ hash }) => hash))
}
